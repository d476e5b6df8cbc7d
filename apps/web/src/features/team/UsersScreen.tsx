import type { Member } from '@plinth/contract'
import CircleAlert from 'lucide-react/icons/circle-alert'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { api } from '../../lib/api/client.ts'
import { useApi, usePage } from '../../lib/data/query.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { navigate, useQueryValue } from '../../lib/navigate.ts'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/base/Button.tsx'
import { Card } from '../../ui/base/Card.tsx'
import { EmptyState } from '../../ui/base/EmptyState.tsx'
import { Icon } from '../../ui/base/Icon.tsx'
import { AddUsersDialog } from './AddUsersDialog.tsx'
import { EditUserDialog } from './EditUserDialog.tsx'
import { SeatLine } from './SeatLine.tsx'
import { rowsOf } from './team-row.ts'
import { UsersTable } from './UsersTable.tsx'
import { useTeamView } from './use-team-view.ts'

const PER_PAGE = 50

export function UsersScreen() {
  const t = useT()
  const teamView = useTeamView()
  const { search, way, status, cursor } = teamView.view
  const { data, page, failed, retry } = usePage(api.team.list, {
    query: {
      sort: way,
      limit: String(PER_PAGE),
      ...(search && { search }),
      ...(status && { status }),
      ...(cursor && { cursor }),
    },
  })
  // Preloads the roles, so that a dialog opens with its fields and can focus the first.
  useApi(api.team.permissions)
  const [opened, setOpened] = useState(false)
  // Other pages link to the open dialog.
  const asked = useQueryValue('create') !== null
  const [edited, setEdited] = useState<Member | null>(null)
  const seats = data?.seats

  function close(): void {
    setOpened(false)
    if (asked) navigate(paths.users, { replace: true })
  }

  return (
    <>
      <div className="page-head">
        <SeatLine seats={seats} />
        <Button variant="primary" icon={<Icon of={Plus} />} onClick={() => setOpened(true)}>
          {t('team.create.open')}
        </Button>
      </div>
      <Card aria-label={t('team.users.title')}>
        <h2 className="sr">{t('team.users.title')}</h2>
        {failed && !data ? (
          <EmptyState
            icon={CircleAlert}
            title={t('team.users.failed')}
            action={<Button onClick={retry}>{t('global.retry')}</Button>}
          >
            {t('team.users.failed_text')}
          </EmptyState>
        ) : (
          <UsersTable
            rows={data && rowsOf(data)}
            onlyOwner={data?.only_owner ?? false}
            page={page}
            teamView={teamView}
            onEdit={setEdited}
          />
        )}
      </Card>
      <AddUsersDialog open={opened || asked} onClose={close} free={freeSeats(seats)} />
      <EditUserDialog member={edited} onClose={() => setEdited(null)} />
    </>
  )
}

function freeSeats(seats: { used: number | null; held: number | null; limit: number | null } | undefined) {
  if (!seats || seats.limit === null || seats.used === null) return null
  return Math.max(0, seats.limit - seats.used - (seats.held ?? 0))
}
