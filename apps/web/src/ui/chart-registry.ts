import {
  ArcElement,
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  DoughnutController,
  Filler,
  LinearScale,
  LineController,
  LineElement,
  PieController,
  PointElement,
  Tooltip,
} from 'chart.js'

// Only what is drawn: the rest of the library stays out of the chunk.
Chart.register(LineController, LineElement, PointElement, Filler, BarController, BarElement)
Chart.register(PieController, DoughnutController, ArcElement, CategoryScale, LinearScale, Tooltip)

export { Chart }
