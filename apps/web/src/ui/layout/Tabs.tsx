import * as Radix from 'radix-ui/tabs'
import type { ReactNode } from 'react'
import './tabs.css'

export interface TabItem {
  value: string
  label: ReactNode
  content: ReactNode
}

export interface TabsProps {
  label: string
  items: readonly TabItem[]
  value: string
  onChange: (value: string) => void
}

/** Only the open panel is mounted. The caller stores the value, usually in the URL. */
export function Tabs({ label, items, value, onChange }: TabsProps) {
  const dir = document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr'
  return (
    <Radix.Root value={value} onValueChange={onChange} dir={dir} className="stack stack-6">
      <Radix.List className="tabs" aria-label={label}>
        {items.map(item => (
          <Radix.Trigger key={item.value} value={item.value} className="tab">
            {item.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {items.map(item => (
        <Radix.Content key={item.value} value={item.value} className="min-w-0">
          {item.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
