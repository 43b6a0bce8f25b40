/** Of charts that answer: the still drawing stands in print, and where the script does not run. */
export const liveStyle = `.live-chart{position:relative;touch-action:pan-y pinch-zoom;-webkit-user-select:none;user-select:none}
.live-canvas{cursor:crosshair;overflow:hidden}.live-canvas svg{max-width:none;overflow:visible}
.live-key,.live-tools{display:flex;flex-wrap:wrap;gap:.3rem .5rem;margin:0 0 .4rem}
.live-key button,.live-tools button{font:inherit;font-size:.875rem;color:var(--ink);background:none;border:1px solid var(--grid);border-radius:.3rem;padding:.15rem .6rem;min-height:1.75rem;cursor:pointer}
.live-key button[aria-pressed=false]{color:var(--quiet);text-decoration:line-through}.live-key button[aria-pressed=false] .sign{opacity:.3}
.live-tools{justify-content:flex-end}.live-tools button{min-width:2.1rem;line-height:1}.live-tools button:disabled{opacity:.4;cursor:default}
.live-x,.live-y,.live-range,.live-value{position:absolute;pointer-events:none}
.live-x{width:0;border-left:1px dashed var(--quiet)}.live-y{height:0;border-top:1px dashed var(--quiet)}
.live-value{background:var(--paper);border:1px solid var(--quiet);border-radius:.2rem;font-size:12px;line-height:16px;padding:0 3px;transform:translate(-100%,-50%);white-space:nowrap}
.live-range{background:var(--one);opacity:.15}
.live-reading{font-size:.8rem;line-height:1.35;font-variant-numeric:tabular-nums}
.live-reading b{display:block}.live-reading small{display:block;color:var(--quiet)}.live-reading span{display:flex;justify-content:space-between;gap:.8rem}
.live-reading.floats{position:absolute;z-index:2;pointer-events:none;min-width:9rem;max-width:22rem;background:var(--paper);color:var(--ink);border:1px solid var(--quiet);border-radius:.3rem;padding:.35rem .6rem}
.live-reading:not(.floats){display:flex;flex-wrap:wrap;gap:0 .9rem;min-height:2.7em;margin-bottom:.3rem}.live-reading:not(.floats) b{flex-basis:100%}
.live-chart [hidden]{display:none}
.is-live{overflow:visible}
@media screen{.is-live>svg,.is-live>img,.is-live>picture,.key.of-live{display:none!important}}
@media print{.live-chart{display:none}}
`
