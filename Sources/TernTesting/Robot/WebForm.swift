public import TernProtocol

/// A form of a web page, as far as a robot needs it to fill it in.
public struct WebForm: Sendable, Hashable {
    /// A field with what it holds.
    public struct Field: Sendable, Hashable {
        /// Its name.
        public let name: String
        /// Its type: `text`, `password`, `hidden`, `checkbox`, `radio`, `select`, `textarea` and the like.
        public let type: String
        /// What it holds.
        public var value: String
        /// Whether it is sent; a check box or radio button that is not set is not.
        public var isSent = true
    }

    /// A button that sends the form.
    public struct Button: Sendable, Hashable {
        /// Its name; `nil` when it sends nothing of its own.
        public let name: String?
        /// What it sends.
        public let value: String
        /// What it says to the reader.
        public let label: String
    }

    /// Where the form goes, as written.
    public var action: String
    /// Whether it is sent by POST.
    public var isPost: Bool
    /// The fields in their order.
    public var fields: [Field] = []
    /// The buttons in their order.
    public var buttons: [Button] = []

    /// The field of a type that comes first.
    public func field(ofType types: String...) -> Field? { fields.first { types.contains($0.type) } }

    /// Fills a field in.
    public mutating func fill(_ name: String, _ value: String) {
        for index in fields.indices where fields[index].name == name { fields[index].value = value }
    }

    /// What is sent when a button is pressed.
    public func parameters(pressing button: Button?) -> FormParameters {
        var parameters: FormParameters = [:]
        for field in fields where field.isSent && !field.name.isEmpty { parameters.append(field.name, field.value) }
        if let button, let name = button.name, !name.isEmpty { parameters.append(name, button.value) }
        return parameters
    }

    /// The forms of a page.
    public static func forms(in html: [UInt8]) -> [WebForm] {
        var collector = Collector()
        for token in HTMLReader.tokens(of: html) { collector.take(token) }
        collector.closeForm()
        return collector.forms
    }

    /// The title of a page.
    static func title(of html: [UInt8]) -> String? {
        var isTitle = false
        for token in HTMLReader.tokens(of: html) {
            switch token {
            case .open(let name, _): isTitle = name == "title"
            case .text(let text) where isTitle: return text
            default: break
            }
        }
        return nil
    }

    private struct Collector {
        var forms: [WebForm] = []
        private var form: WebForm?
        private var button: (name: String?, value: String, label: String, sends: Bool)?
        private var select: (name: String, value: String?, isChosen: Bool)?
        private var option: (value: String?, text: String, isSelected: Bool)?
        private var textArea: (name: String, value: String)?

        mutating func take(_ token: HTMLReader.Token) {
            switch token {
            case .open(let name, let attributes): open(name, attributes)
            case .close(let name): close(name)
            case .text(let text):
                button?.label += text
                option?.text += text
                textArea?.value += text
            }
        }

        mutating func closeForm() {
            closeButton()
            closeSelect()
            if let form { forms.append(form) }
            form = nil
        }

        private mutating func open(_ tag: String, _ attributes: [String: String]) {
            switch tag {
            case "form":
                closeForm()
                form = WebForm(
                    action: attributes["action"] ?? "", isPost: attributes["method"]?.lowercased() == "post")
            case "input" where attributes["disabled"] == nil: input(attributes)
            case "button" where attributes["disabled"] == nil:
                closeButton()
                let type = attributes["type"]?.lowercased()
                button = (
                    attributes["name"], attributes["value"] ?? "", "", type == nil || type == "submit" || type == ""
                )
            case "select": select = (attributes["name"] ?? "", nil, false)
            case "option":
                closeOption()
                option = (attributes["value"], "", attributes["selected"] != nil)
            case "textarea": textArea = (attributes["name"] ?? "", "")
            default: break
            }
        }

        private mutating func input(_ attributes: [String: String]) {
            let type = attributes["type"]?.lowercased() ?? "text"
            let name = attributes["name"] ?? ""
            switch type {
            case "submit", "image":
                let value = attributes["value"] ?? ""
                form?.buttons.append(Button(name: attributes["name"], value: value, label: value))
            case "button", "reset", "file": break
            case "checkbox", "radio":
                form?.fields.append(
                    Field(
                        name: name, type: type, value: attributes["value"] ?? "on",
                        isSent: attributes["checked"] != nil))
            default: form?.fields.append(Field(name: name, type: type, value: attributes["value"] ?? ""))
            }
        }

        private mutating func close(_ tag: String) {
            switch tag {
            case "form": closeForm()
            case "button": closeButton()
            case "option": closeOption()
            case "select": closeSelect()
            case "textarea":
                if let textArea {
                    form?.fields.append(Field(name: textArea.name, type: "textarea", value: textArea.value))
                }
                textArea = nil
            default: break
            }
        }

        private mutating func closeButton() {
            if let button, button.sends {
                let label = button.label.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                form?.buttons.append(Button(name: button.name, value: button.value, label: label))
            }
            button = nil
        }

        private mutating func closeOption() {
            guard let option, var current = select else { return }
            self.option = nil
            if option.isSelected && !current.isChosen || current.value == nil {
                current.value = option.value ?? option.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                current.isChosen = option.isSelected
            }
            select = current
        }

        private mutating func closeSelect() {
            closeOption()
            if let select, let value = select.value {
                form?.fields.append(Field(name: select.name, type: "select", value: value))
            }
            select = nil
        }
    }
}

extension WebForm: CustomStringConvertible, CustomReflectable {
    /// The names of the fields and what the buttons say, without what was filled in.
    public var description: String {
        "form with \(fields.map(\.name).joined(separator: ", ")) and \(buttons.map(\.label).joined(separator: ", "))"
    }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
