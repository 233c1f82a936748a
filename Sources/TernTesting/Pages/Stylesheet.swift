/// The look of all pages: one column, the reader's own font, light or dark as the system wants it.
enum Stylesheet {
    static let text = """
        :root{color-scheme:light dark;--ground:#eef2f6;--card:#fff;--ink:#14202c;--soft:#51606f;--line:#8593a1;\
        --accent:#0a5c8f;--on-accent:#fff;--alarm:#a3201d;--alarm-ground:#fdecea}
        @media(prefers-color-scheme:dark){:root{--ground:#10171e;--card:#1a242e;--ink:#e8eef4;--soft:#a5b3c0;\
        --line:#6b7a89;--accent:#7cc4f2;--on-accent:#08202f;--alarm:#ffb4ab;--alarm-ground:#3b1715}}
        *{box-sizing:border-box}
        body{margin:0;min-height:100vh;display:flex;flex-direction:column;align-items:center;justify-content:center;\
        padding:1.5rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
        main{width:100%;max-width:25rem;background:var(--card);border-radius:.75rem;padding:2rem;\
        box-shadow:0 1px 3px #0003,0 8px 24px #0002}
        h1{font-size:1.375rem;line-height:1.3;margin:0 0 .5rem}
        p{margin:0 0 1rem}
        .soft{color:var(--soft)}
        .alarm{color:var(--alarm);background:var(--alarm-ground);border-radius:.375rem;padding:.625rem .75rem}
        label{display:block;font-weight:600;margin:0 0 .25rem}
        input{width:100%;font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);\
        border-radius:.375rem;padding:.625rem .75rem;margin:0 0 1rem}
        button{display:block;width:100%;min-height:2.75rem;font:inherit;font-weight:600;cursor:pointer;color:var(--accent);\
        background:none;border:1px solid var(--line);border-radius:.375rem;padding:.5rem 1rem;margin:.75rem 0 0}
        button.main{color:var(--on-accent);background:var(--accent);border-color:var(--accent)}
        button:hover{filter:brightness(1.1)}
        :focus-visible{outline:3px solid var(--accent);outline-offset:2px}
        ul{margin:0 0 1rem;padding-left:1.25rem}
        code{font:0.9375em ui-monospace,monospace;overflow-wrap:anywhere}
        main>:last-child{margin-bottom:0}
        form+p{margin-top:1.5rem}
        footer{margin-top:1.25rem;font-size:.875rem;color:var(--soft)}
        """
}
