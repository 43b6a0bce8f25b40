import type { Phrases } from '../../../contract/language.js'

/** What a chart that answers says. */
export const liveWords = {
  chart: ['chart', '图'],
  help: [
    'Left and right move the crosshair, plus and minus zoom, Escape shows all.',
    '左右方向键移动十字光标，加减键缩放，Esc 键显示全部。',
  ],
  hint: ['Drag to zoom in, double-click to show all', '拖动放大，双击显示全部'],
  series: ['Series shown', '显示的序列'],
  earlier: ['Earlier', '向前'],
  later: ['Later', '向后'],
  closer: ['Zoom in', '放大'],
  wider: ['Zoom out', '缩小'],
  all: ['Show all', '显示全部'],
  open: ['open', '开'],
  high: ['high', '高'],
  low: ['low', '低'],
  close: ['close', '收'],
} as const satisfies Phrases
