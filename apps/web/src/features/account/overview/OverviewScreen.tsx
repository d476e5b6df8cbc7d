import { useId } from 'react'
import { NavTiles } from '../../../ui/layout/NavTile.tsx'
import { useNavGroups } from '../../../ui/layout/nav-groups.ts'
import type { NavGroup } from '../../../ui/layout/shell-types.ts'
import { AccessBanner } from './AccessBanner.tsx'
import { OverviewCard } from './OverviewCard.tsx'

/** One card for each navigation item of the account area. */
export function OverviewScreen() {
  const groups = useNavGroups()
  return (
    <div className="stack gap-8">
      <AccessBanner />
      {groups.map(group => (
        <Group key={group.key} group={group} />
      ))}
    </div>
  )
}

function Group({ group }: { group: NavGroup }) {
  const id = useId()
  return (
    <section className="stack stack-3" aria-labelledby={id}>
      <h2 className="h2 wrap-anywhere" id={id}>
        {group.label}
      </h2>
      <NavTiles>
        {group.items.map(item => (
          <OverviewCard key={item.key} item={item} />
        ))}
      </NavTiles>
    </section>
  )
}
