/* What dist/lib/echarts.cjs holds of echarts: see build/lib.mjs. */
import { BarChart, CandlestickChart, LineChart, ScatterChart } from 'echarts/charts'
import {
  GridComponent,
  LegendPlainComponent,
  MarkAreaComponent,
  MarkLineComponent,
  TitleComponent,
} from 'echarts/components'
import { init, use } from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { SVGRenderer } from 'echarts/renderers'

use([
  BarChart,
  CandlestickChart,
  LineChart,
  ScatterChart,
  GridComponent,
  LegendPlainComponent,
  MarkAreaComponent,
  MarkLineComponent,
  TitleComponent,
  LabelLayout,
  SVGRenderer,
])

export { init }
