/// The look of the page: two columns, the lifelines on the left and the words on the right; one column on a phone.
enum TraceStylesheet {
    static let text = """
        :root{color-scheme:light dark;\(TracePalette.light.properties)}
        @media(prefers-color-scheme:dark){:root{\(TracePalette.dark.properties)}}
        @media print{:root{color-scheme:light;\(TracePalette.print.properties)}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
        main{max-width:72rem;margin:0 auto;padding:2rem 1.5rem}
        h1{font-size:1.6rem;line-height:1.25;margin:0 0 .5rem}h2{font-size:1.1rem;margin:2rem 0 .5rem}
        h3{font-size:1rem;margin:0}h4{font-size:.9rem;margin:.75rem 0 0}p{margin:.25rem 0}a{color:var(--accent)}
        .soft{color:var(--soft);font-size:.875rem}
        .verdict{font-weight:600;color:var(--good)}.bad{color:var(--alarm)}
        ol.steps{list-style:none;margin:0;padding:0;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
        .steps>li,.head{display:grid;grid-template-columns:minmax(0,2fr) minmax(0,3fr)}
        .head{font-size:.72rem;overflow-wrap:normal;line-height:1.2;color:var(--soft);padding-bottom:.4rem}
        .head div{display:flex;align-items:end}.head span{flex:1 1 0;min-width:0;text-align:center}
        .words{padding:1rem 1.25rem;min-width:0}.steps>li+li .words{border-top:1px solid var(--line)}
        .lanes{position:relative}.lanes>svg{position:absolute;inset:0;width:100%;height:100%;overflow:hidden}
        .life{stroke:var(--line);stroke-width:1.5}.arrow{stroke:var(--accent);stroke-width:2}
        .tip,.dot{fill:var(--accent)}.cross{stroke:var(--alarm);stroke-width:3;fill:none}
        .failed .arrow{stroke:var(--alarm);stroke-dasharray:7 4;stroke-width:3}.failed .tip,.failed .dot{fill:var(--alarm)}
        table{border-collapse:collapse;width:100%;font-size:.875rem;margin:.5rem 0;table-layout:fixed}
        th{width:35%;text-align:left;font-weight:400;color:var(--soft);vertical-align:top;padding:.1rem .75rem .1rem 0}
        td{vertical-align:top;padding:.1rem 0}td,code,.two{font-family:ui-monospace,monospace;font-size:.8125rem}
        .tag{border:1px solid var(--soft);border-radius:.3rem;padding:0 .25rem;color:var(--ink)}
        \((0..<TracePalette.tintCount).map { ".t\($0){background:var(--tint-\($0))}" }.joined())
        ul.checks{list-style:none;margin:.5rem 0 0;padding:0;font-size:.875rem}
        .checks li{padding-left:1.4rem;text-indent:-1.4rem}.checks b{color:var(--good);display:inline-block;width:1.4rem;text-indent:0}
        .failure{margin-top:.75rem;padding:.75rem 1rem;background:var(--alarm-ground);border:2px solid var(--alarm);border-radius:.5rem}
        .failure ol{margin:.1rem 0;padding-left:1.4rem}.failure strong{color:var(--alarm)}
        mark{background:none;color:var(--alarm);font-weight:700;text-decoration:underline 2px}
        .hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
        @media(max-width:40rem){main{padding:1rem .75rem}.head,.lanes{display:none}.steps>li{grid-template-columns:minmax(0,1fr)}
        .words{padding:.9rem}th{width:45%}}
        @media print{main{max-width:none;padding:0 1px}.steps>li{break-inside:avoid}h2,h3,h4{break-after:avoid}}
        """
}
