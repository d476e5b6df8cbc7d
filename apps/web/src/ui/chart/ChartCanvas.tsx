import { useEffect, useRef, useSyncExternalStore } from 'react'
import {
  type ChartFamily,
  type ChartLook,
  type ChartWishes,
  type DrawnChart,
  readLook,
} from './chart-config.ts'

export type Drawing = ChartWishes

/** @param family the chart kind; must stay the same while mounted */
export function ChartCanvas({ family, ...props }: Drawing & { family: ChartFamily }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const chart = useRef<DrawnChart | null>(null)
  const theme = useSyncExternalStore(onRootChange, rootLook)
  const latest = useRef(props)
  const { type, data, palette, ticks, format } = props

  // The library owns the canvas, so it is created in an effect. Colours depend on theme and direction.
  useEffect(() => {
    if (!canvas.current) return
    const look: ChartLook = readLook(canvas.current, theme)
    chart.current = new family.Chart(canvas.current, family.configFor(latest.current, look))
    return () => chart.current?.destroy()
  }, [family, theme])

  // Updates the existing chart, so that the values are animated.
  useEffect(() => {
    const next = { type, data, palette, ticks, format }
    if (latest.current === next || !chart.current || !canvas.current || sameFigures(latest.current, next))
      return
    latest.current = next
    const config = family.configFor(next, readLook(canvas.current, theme))
    chart.current.data = config.data
    chart.current.options = config.options ?? {}
    chart.current.update()
  }, [family, type, data, palette, ticks, format, theme])

  return <canvas ref={canvas} />
}

const sameFigures = (a: Drawing, b: Drawing) =>
  a.data === b.data && a.type === b.type && a.palette === b.palette && a.ticks === b.ticks

function onRootChange(listener: () => void): () => void {
  const watcher = new MutationObserver(listener)
  watcher.observe(document.documentElement, { attributeFilter: ['class', 'dir'] })
  return () => watcher.disconnect()
}

const rootLook = () => `${document.documentElement.className} ${document.documentElement.dir}`
