/** What the tear sheet needs beyond the style of the report. Rises are red and falls are green, as in China. */
export const sheetStyle = `
:root{--rise:var(--bad);--fall:var(--good)}
@media screen{.page{max-width:68rem}}
h1,h3,.lead,.note,.key,figcaption,.heads b,dd{overflow-wrap:anywhere}
.hash code{white-space:normal;overflow-wrap:anywhere}
.lead{font-size:1.1rem;max-width:48rem}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.2rem,1fr));gap:.6rem;margin:1rem 0;padding:0;list-style:none}
.tiles li{background:var(--soft);border-radius:.35rem;padding:.55rem .75rem;min-width:0}
.tiles span{display:block;color:var(--quiet);font-size:.78rem;line-height:1.3}
.tiles data{display:block;font-size:1.25rem;font-weight:600;overflow-wrap:anywhere}
.tiles small{display:block}
.honesty{margin:1.5rem 0 0;padding:.9rem 1.1rem;border:1.5px solid var(--rule);border-radius:.4rem}
.honesty h2{margin:0 0 .4rem;padding:0;border:0;font-size:1.15rem}
.honesty ul{list-style:none;margin:0;padding:0}
.honesty li{display:grid;grid-template-columns:9.5rem 1fr;gap:.1rem 1rem;padding:.35rem 0;border-top:1px solid var(--grid);overflow-wrap:anywhere}
.honesty li:first-child{border-top:0}
.honesty .what{font-weight:600;font-size:.9rem}
.honesty p{margin:0;font-size:.9rem;max-width:none}
.honesty .badge{margin-right:.35rem}
.groups{display:grid;grid-template-columns:repeat(auto-fit,minmax(19rem,1fr));gap:.2rem 2rem}
.group h3{margin:1rem 0 .2rem}
.figure-row{margin:0;border-bottom:1px solid var(--grid)}
.figure-row summary,.heads{display:grid;grid-template-columns:1fr auto;gap:.5rem;align-items:baseline;color:var(--ink);font-size:.875rem;padding:.22rem 0;list-style:none}
.figure-row.two summary,.heads.two{grid-template-columns:1fr 5.6rem 5.6rem}
.figure-row summary::-webkit-details-marker{display:none}
.figure-row summary .of::after{content:" ƒ";color:var(--quiet);font-size:.8em}
.figure-row[open] summary .of{font-weight:600}
.figure-row data{text-align:right;white-space:nowrap}
.figure-row p{margin:0 0 .45rem;font-size:.82rem;color:var(--quiet);overflow-wrap:anywhere}
.heads{color:var(--quiet);font-size:.78rem}
.heads b{font-weight:400;text-align:right;overflow-wrap:anywhere}
.up{color:var(--rise)}.down{color:var(--fall)}
.heat{border-collapse:separate;border-spacing:2px}
.heat th,.heat td{border:0;text-align:right;min-width:3.3rem;padding:.22rem .4rem;border-radius:.2rem}
.heat th{color:var(--quiet);font-weight:500}
.heat .total{font-weight:600}
.heat .chosen{outline:2px solid var(--ink);outline-offset:-1px;font-weight:600}
.heat td{print-color-adjust:exact;-webkit-print-color-adjust:exact}
.r1{background:color-mix(in srgb,var(--rise) 12%,transparent)}.r2{background:color-mix(in srgb,var(--rise) 22%,transparent)}
.r3{background:color-mix(in srgb,var(--rise) 33%,transparent)}.r4{background:color-mix(in srgb,var(--rise) 45%,transparent)}
.f1{background:color-mix(in srgb,var(--fall) 12%,transparent)}.f2{background:color-mix(in srgb,var(--fall) 22%,transparent)}
.f3{background:color-mix(in srgb,var(--fall) 33%,transparent)}.f4{background:color-mix(in srgb,var(--fall) 45%,transparent)}
.u1{background:color-mix(in srgb,var(--one) 8%,transparent)}.u2{background:color-mix(in srgb,var(--one) 18%,transparent)}
.u3{background:color-mix(in srgb,var(--one) 29%,transparent)}.u4{background:color-mix(in srgb,var(--one) 41%,transparent)}
.words li{overflow-wrap:anywhere}
.formulas dt{font-weight:600;color:var(--ink)}.formulas dd{margin:0 0 .25rem}
@media screen{.on-paper{display:none}}
@media (max-width:40rem){.honesty li{grid-template-columns:1fr}.groups{grid-template-columns:minmax(0,1fr)}.tiles{grid-template-columns:1fr 1fr}
.figure-row.two summary,.heads.two{grid-template-columns:1fr 4.8rem 4.8rem}}
@media print{.figure-row:not([open]){display:block}.figure-row summary .of::after{content:""}.groups{display:block;columns:2;column-gap:8mm}.group,.honesty{break-inside:avoid}
.honesty li,.tiles,.figure-row{break-inside:avoid}.figure-row summary{font-size:8pt;padding:.1rem 0}.figure-row p{display:none}
.heat th,.heat td{min-width:0;font-size:7pt;padding:.1rem .2rem;white-space:nowrap}.formulas{columns:2;font-size:7.5pt}.formulas dt,.formulas dd{break-inside:avoid}
.tiles{grid-template-columns:repeat(6,1fr)}.tiles data{font-size:11pt}}
`
