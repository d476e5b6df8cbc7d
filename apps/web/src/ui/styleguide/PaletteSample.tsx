import KeyRound from 'lucide-react/icons/key-round'
import Mail from 'lucide-react/icons/mail'
import { useState } from 'react'
import { Button } from '../base/Button.tsx'
import { Palette } from '../overlay/Palette.tsx'

const PLACES = [
  { key: 'keys', label: 'API keys', icon: KeyRound },
  { key: 'invited', label: 'Users', detail: 'Invited', icon: Mail },
]

/** The command palette with two entries. */
export function PaletteSample() {
  const [open, setOpen] = useState(false)
  const [query, setQuery] = useState('')
  const options = PLACES.filter(({ label }) => label.toLowerCase().includes(query.toLowerCase()))
  const close = () => setOpen(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Palette</Button>
      {open && (
        <Palette
          label="Search"
          listLabel="Results"
          closing={{ key: 'Esc', label: 'Close' }}
          query={query}
          onQuery={setQuery}
          groups={options.length > 0 ? [{ key: 'places', label: 'Go to', options }] : []}
          count={`${options.length} results`}
          none="Nothing fits."
          onChoose={close}
          onClose={close}
        />
      )}
    </>
  )
}
