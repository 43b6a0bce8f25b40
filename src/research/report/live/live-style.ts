/** Of charts that answer: the still drawing stands in print, and where the script does not run. */
export const liveStyle = `.live-chart{position:relative}.live-area{touch-action:pan-y pinch-zoom;-webkit-user-select:none;user-select:none}
.live-area svg{max-width:none}
.live-told{position:absolute;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%)}
.live-title{display:block;margin:0 0 .4rem}
.live-reading{font-size:.8rem;line-height:1.35;font-variant-numeric:tabular-nums;min-width:9rem;max-width:22rem;white-space:normal}
.live-reading b,.live-reading small{display:block}.live-reading small{font-size:.72rem;color:var(--quiet)}.live-reading>span{display:flex;justify-content:space-between;gap:.8rem}
.live-chart .sign{display:inline-block;width:1.1rem;height:.7rem;margin-right:.4rem;vertical-align:-.02em}.live-chart .sign.solid{background:var(--sign)}.live-chart .sign.hollow{border:1.5px solid var(--sign)}
.live-chart .sign.line,.live-chart .sign.dashed{height:0;border-top:2px solid var(--sign);vertical-align:.25em}.live-chart .sign.dashed{border-top-style:dashed}
.live-area:focus-visible{outline:2px solid var(--one);outline-offset:2px}
.is-live{overflow:visible}
@media screen{.is-live>:not(.live-chart,details),.key.of-live{display:none!important}}
@media print{.live-chart{display:none}}
`
