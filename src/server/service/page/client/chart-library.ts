/* What the page holds of echarts. */
import { BarChart, LineChart } from 'echarts/charts'
import { AxisPointerComponent, DataZoomInsideComponent, GridComponent, TooltipComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'

use([
  AxisPointerComponent,
  BarChart,
  CanvasRenderer,
  DataZoomInsideComponent,
  GridComponent,
  LineChart,
  TooltipComponent,
])

export { init }
