/** Of charts that answer: the still drawing stands in print, and where the script does not run. */
export const liveStyle = `.live-chart,.live-area{position:relative}.live-area{touch-action:pan-y pinch-zoom;-webkit-user-select:none;user-select:none}
.live-canvas{cursor:crosshair;overflow:hidden}.live-canvas svg{max-width:none;overflow:visible}
.live-bar,.live-key,.live-tools{display:flex;flex-wrap:wrap;gap:.3rem .5rem}.live-bar{margin:0 0 .4rem}
.live-key button,.live-tools button{font:inherit;font-size:.875rem;color:var(--ink);background:none;border:1px solid var(--grid);border-radius:.3rem;padding:.15rem .6rem;min-height:1.75rem;cursor:pointer}
.live-key button[aria-pressed=false]{color:var(--quiet);text-decoration:line-through}.live-key button[aria-pressed=false] .sign{opacity:.3}
.live-tools{margin-left:auto}.live-tools button{min-width:2.1rem;line-height:1}.live-tools button:disabled{opacity:.4;cursor:default}
.live-x,.live-y,.live-range,.live-value{position:absolute;pointer-events:none}
.live-x{width:0;border-left:1px dashed var(--quiet)}.live-y{height:0;border-top:1px dashed var(--quiet)}
.live-value{background:var(--paper);border:1px solid var(--quiet);border-radius:.2rem;font-size:12px;line-height:16px;padding:0 3px;transform:translate(-100%,-50%);white-space:nowrap}
.live-range{background:var(--one);opacity:.15}
.live-reading{font-size:.8rem;line-height:1.35;font-variant-numeric:tabular-nums}
.live-chart .sign{display:inline-block;width:1.1rem;height:.7rem;margin-right:.4rem;vertical-align:-.02em}.live-chart .sign.solid{background:var(--sign)}.live-chart .sign.hollow{border:1.5px solid var(--sign)}
.live-chart .sign.line,.live-chart .sign.dashed{height:0;border-top:2px solid var(--sign);vertical-align:.25em}.live-chart .sign.dashed{border-top-style:dashed}
.live-title{display:block;margin:0 0 .4rem}
.live-reading b{display:block}.live-reading small{display:block;font-size:.72rem;color:var(--quiet)}.live-reading>span{display:flex;justify-content:space-between;gap:.8rem}
.live-reading.floats{position:absolute;z-index:2;pointer-events:none;min-width:9rem;max-width:22rem;background:var(--paper);color:var(--ink);border:1px solid var(--quiet);border-radius:.3rem;padding:.35rem .6rem}
.live-reading:not(.floats){display:flex;flex-wrap:wrap;gap:0 .9rem;min-height:2.7em;margin-bottom:.3rem}.live-reading:not(.floats) b{flex-basis:100%}
.live-chart [hidden]{display:none}
.live-area:focus-visible{outline:2px solid var(--one);outline-offset:2px}
.is-live{overflow:visible}
@media screen{.is-live>:not(.live-chart,details),.key.of-live{display:none!important}}
@media print{.live-chart{display:none}}
`
