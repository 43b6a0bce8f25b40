/** The look of the page: light unless dark is asked for, always light in print. */
export const style = `
:root{color-scheme:light;--paper:#fdfcf9;--ink:#1d2126;--quiet:#5f6770;--grid:#dfdfda;--rule:#c9c9c2;--soft:#f3f2ec;
--one:#1d5b96;--two:#a8470f;--three:#2c6e49;--good:#1f6b3a;--bad:#a3201c;--warn:#8a5a00;
--up:#b3261e;--down:#1f6b3a;--up1:#fbe9e6;--up2:#f6cfc9;--up3:#eeaaa1;--down1:#e4f1e8;--down2:#c5e3ce;--down3:#9bcfac}
@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;--paper:#15181c;--ink:#e6e4de;--quiet:#a2a8af;--grid:#2d3238;
--rule:#434a52;--soft:#1d2126;--one:#7db3e8;--two:#f0a16b;--three:#7fc79d;--good:#86cf9f;--bad:#f39a92;--warn:#e5b95c;
--up:#f39a92;--down:#86cf9f;--up1:#33201f;--up2:#4d2624;--up3:#70302c;--down1:#1b2b21;--down2:#1f3d2b;--down3:#245638}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI","Noto Sans","PingFang SC",
"Hiragino Sans GB","Microsoft YaHei","Noto Sans CJK SC","Source Han Sans SC",sans-serif;font-variant-numeric:tabular-nums lining-nums}
.page{max-width:58rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}
h1,h2,h3{line-height:1.25;font-weight:600;text-wrap:balance}
h1{font-size:2rem;margin:0 0 1.25rem}
h2{font-size:1.35rem;margin:3rem 0 .75rem;padding-top:.9rem;border-top:1px solid var(--rule)}
h3{font-size:1.05rem;margin:1.75rem 0 .4rem}
p{margin:.5rem 0;max-width:44rem}
a{color:var(--one);text-underline-offset:.15em}
code{font:.86em ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace}
small{font-size:.8em;color:var(--quiet)}
h1 small{font-size:.6em;font-weight:400;white-space:nowrap}
h4{font-size:.95rem;margin:1.1rem 0 .3rem;line-height:1.25}
.light{margin:.9rem 0 0;padding:.45rem .8rem;max-width:none;border-left:.35rem solid var(--state);background:var(--soft);font-size:.85rem;overflow-wrap:anywhere}
.light b{color:var(--state);margin-right:.35em;white-space:nowrap}
.light.green{--state:var(--good)}.light.amber{--state:var(--warn)}.light.red{--state:var(--bad)}
.sentence{font-size:1.1rem;line-height:1.6;max-width:none;margin:0 0 1rem}
.tiles{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:.7rem;margin:0}
.tile{border:1px solid var(--rule);border-radius:.35rem;padding:.6rem .8rem;min-width:0;break-inside:avoid}
.tile .value{font-size:1.55rem;font-weight:600}
.up{color:var(--up)}.down{color:var(--down)}
.past{font-size:.8rem;color:var(--quiet)}.past span{display:block}.past data{color:var(--ink)}
.heat-maps{display:grid;grid-template-columns:minmax(0,4fr) minmax(0,1fr);gap:0 1.2rem;align-items:start}
.heat-map{width:100%}.heat-map caption{text-align:left;font-weight:600;padding:.2rem 0}
.heat-map th[scope=col]{text-align:center}.heat-map th[scope=row]{font-weight:400;white-space:normal}
.heat{text-align:center;border:1px solid var(--paper);padding:.2rem .3rem;print-color-adjust:exact;-webkit-print-color-adjust:exact}
.heat b{font-weight:600}.heat small{display:block;font-size:.85em;color:inherit;opacity:.85}
.up-1{background:var(--up1)}.up-2{background:var(--up2)}.up-3{background:var(--up3)}
.down-1{background:var(--down1)}.down-2{background:var(--down2)}.down-3{background:var(--down3)}
.pair{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:0 1.5rem}
.whole{white-space:nowrap}
.answer{padding-left:1em}
.brief{margin:0;font-size:.92rem;line-height:1.5}.brief>div{display:grid;grid-template-columns:9rem 1fr;gap:.8rem;padding:.3rem 0;border-bottom:1px solid var(--grid)}.brief dt{font-size:inherit}
.note,.absent,figcaption{color:var(--quiet);font-size:.875rem}
.absent{font-style:italic}
.about{margin:0 0 1.25rem;padding:.5rem .8rem;border:1px solid var(--two);border-radius:.35rem;color:var(--two)}
.none{color:var(--quiet)}
.mark{border:1px solid var(--two);color:var(--two);border-radius:.2rem;padding:0 .4em;font-size:.8rem;font-weight:500}
dl.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(14rem,1fr));gap:.6rem 1.5rem;margin:0 0 1rem}
dl.facts div{min-width:0}
dl.facts .whole{grid-column:1/-1;white-space:normal}
dt{color:var(--quiet);font-size:.8rem}
dd{margin:0;overflow-wrap:anywhere}
nav{margin:1.5rem 0 0;padding:.75rem 1rem;background:var(--soft);border-radius:.35rem}
nav ol{margin:0;padding:0;list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.4rem}
.badge{white-space:nowrap;font-weight:600;font-size:.9em}
.badge.holds{color:var(--good)}.badge.fails{color:var(--bad)}.badge.unknown{color:var(--quiet)}
.wide{overflow-x:auto;margin:.6rem 0}
table{border-collapse:separate;border-spacing:0;font-size:.85rem;line-height:1.4}
th,td{padding:.3rem .5rem;text-align:left;vertical-align:top;white-space:nowrap;border-bottom:1px solid var(--grid)}
th{font-weight:600;word-break:keep-all;vertical-align:bottom;border-bottom:1px solid var(--rule)}
th small{display:block;font-weight:400}
th:first-child,td:first-child{padding-left:0}
.number,.number small{text-align:right;white-space:nowrap}
.number wbr{display:none}
.prose{white-space:normal;overflow-wrap:anywhere;min-width:11rem;max-width:32rem}
.name{white-space:normal;overflow-wrap:anywhere;min-width:5.2rem;max-width:13rem}
.reason{white-space:normal;overflow-wrap:break-word;min-width:7.5rem;max-width:26rem}
th.text,.word{white-space:normal;overflow-wrap:normal}
.hash{overflow-wrap:anywhere}
figure{margin:1rem 0 1.5rem}
.key{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1.3rem;margin:0 0 .4rem;padding:0;font-size:.875rem}
.sign{display:inline-block;width:1.1rem;height:.7rem;margin-right:.4rem;vertical-align:-.02em;print-color-adjust:exact;-webkit-print-color-adjust:exact}
.sign.solid{background:var(--sign)}
.sign.faint{background:color-mix(in srgb,var(--sign) 42%,transparent)}
.sign.hollow{border:1.5px solid var(--sign)}
.sign.line,.sign.dashed{height:0;border-top:2px solid var(--sign);vertical-align:.25em}
.sign.dashed{border-top-style:dashed}
.sign.diamond{width:.55rem;height:.55rem;border:1.5px solid var(--sign);transform:rotate(45deg)}
.sign.dot{width:.5rem;height:.5rem;border-radius:50%;background:var(--sign)}
.sign.ring{width:.75rem;height:.75rem;border-radius:50%;border:1.5px solid var(--sign)}
.drawing svg{display:block;width:100%;height:auto;font-variant-numeric:tabular-nums}.drawing .at-358{display:none}
@media screen and (max-width:47rem){.drawing .at-358{display:block;max-width:32rem}.drawing .at-760{display:none}}
figcaption{margin-top:.4rem;max-width:44rem}
details{margin:.5rem 0}
summary{cursor:pointer;font-size:.875rem;color:var(--quiet)}
details.check{margin:1.1rem 0}.check>summary h4{display:inline;margin:0 .35rem 0 0;color:var(--ink)}
figure details .wide{max-height:26rem;overflow:auto}
:focus-visible{outline:2px solid var(--one);outline-offset:2px}
.lines{list-style:none;margin:.4rem 0;padding:0;font-size:.92rem}
.lines li{padding:.4rem 0;border-bottom:1px solid var(--grid);overflow-wrap:anywhere}
.lines time{color:var(--quiet);margin-right:.4rem}
.lines p{margin:.2rem 0 0}
q{quotes:"“" "”"}
footer{margin-top:3rem;padding-top:.9rem;border-top:1px solid var(--rule);color:var(--quiet);font-size:.85rem}
@media screen and (min-width:60rem){th.number{white-space:normal}th.number wbr{display:revert}}
@media screen{.wide th:first-child,.wide td:first-child{position:sticky;left:0;z-index:1;background:var(--paper)}}
@media screen and (max-width:40rem){.pair,.heat-maps{grid-template-columns:minmax(0,1fr)}.tiles{grid-template-columns:repeat(2,minmax(0,1fr));gap:.4rem}.tile{padding:.35rem .5rem}.tile .value{font-size:1.2rem}.sentence{font-size:1rem;line-height:1.5}
.heat-maps .wide:last-child tbody{display:grid;grid-template-columns:repeat(4,minmax(0,1fr))}.heat-maps .wide:last-child tr{display:grid}.heat-map{table-layout:fixed;font-size:.68rem}.heat-map th[scope],.heat{padding:.1rem .05rem;white-space:normal;overflow-wrap:anywhere}body{font-size:15px;line-height:1.5}.page{padding:1.25rem 1rem 2rem}h1{font-size:1.6rem;margin-bottom:.8rem}
h2{margin:1.5rem 0 .5rem;padding-top:.5rem}h3{margin-top:1rem}nav{margin-top:1rem;padding:.5rem .75rem;font-size:.9rem}nav ol{gap:.15rem 1rem}figure{margin:.7rem 0 1rem}th,td{padding:.2rem .34rem}details.check{margin:.25rem 0}.brief{font-size:.86rem}.brief>div{display:block;padding:.15rem 0}.brief dt,.brief dd{display:inline;margin-right:.5rem}footer{margin-top:1.2rem;padding-top:.5rem;font-size:.8rem;line-height:1.4}
.page:has(.brief) .tiles{grid-template-columns:repeat(3,minmax(0,1fr));line-height:1.35}.page:has(.brief) :is(.tile dt,.past,.tile small){font-size:.72rem}.page:has(.brief) .tile .value{font-size:1.05rem}.about{font-size:.85rem;margin-bottom:.8rem}
.wide{margin:.45rem 0}table{font-size:.8rem}.note,figcaption,.absent{font-size:.8rem;line-height:1.45}.lines{font-size:.86rem;line-height:1.45}.lines p{margin-top:.1rem}dl.facts{grid-template-columns:repeat(2,minmax(0,1fr));gap:.35rem 1rem}p{margin:.35rem 0}details{margin:.3rem 0}.name{min-width:6.4rem}.prose{min-width:34rem;max-width:48rem}.reason{min-width:14rem}.hash{min-width:20rem}.prose:first-child,.reason:first-child{min-width:7rem;max-width:9rem}.lines li{padding:.3rem 0}
.wide{background:linear-gradient(270deg,var(--paper) 40%,transparent) 100% 0/2rem 100% no-repeat local,linear-gradient(270deg,var(--rule),transparent) 100% 0/.6rem 100% no-repeat}}
@page{size:A4;margin:14mm 14mm 16mm;@bottom-right{content:counter(page) " / " counter(pages);font:8pt system-ui,sans-serif;color:#555}}
@media print{:root{--paper:#fff;--ink:#000;--quiet:#444;--soft:#f4f4f1}html{font-size:13px}body{font-size:10pt}.page{max-width:none;padding:0}nav{display:none}a{color:inherit}
h2{margin-top:1.5rem}h2,h3,h4,summary,thead,.key{break-after:avoid}h2,h3,h4,figure,tr,.tile,.light,.heat-map,li{break-inside:avoid}
p:has(+.wide,+figure,+ul,+.pair,+h3,+.group),h2+p,h3+p,h4+p,li:first-child,tbody tr:first-child{break-after:avoid}tbody tr:last-child{break-before:avoid}thead{display:table-header-group}
.tiles{grid-template-columns:repeat(3,minmax(0,1fr))}.heat-maps{grid-template-columns:minmax(0,4fr) minmax(0,1fr)}.wide,.drawing{overflow:visible}.drawing svg{min-width:0;max-height:100mm}
table{font-size:7.5pt}th,td{padding:.12rem .3rem;white-space:normal}.number{white-space:nowrap}.prose,.name,.reason{min-width:0;overflow-wrap:break-word}
details:not([open],.rest,.check){display:none}.rest::details-content{content-visibility:visible;display:block}.rest>summary{display:none}summary{list-style:none}details.check:not([open]){margin:.2rem 0}}
`
