import KeyRound from 'lucide-react/icons/key-round'
import { Alert } from '../base/Alert.tsx'
import { Avatar } from '../base/Avatar.tsx'
import { Badge, PlanBadge } from '../base/Badge.tsx'
import { Button } from '../base/Button.tsx'
import { DescriptionList, DescriptionListSkeleton } from '../base/DescriptionList.tsx'
import { EmptyState } from '../base/EmptyState.tsx'
import { Secret } from '../base/Inset.tsx'
import { Kbd } from '../base/Kbd.tsx'
import { PageProgress } from '../base/PageProgress.tsx'
import { Progress } from '../base/Progress.tsx'
import { SectionHeader } from '../base/Section.tsx'
import { Skeleton } from '../base/Skeleton.tsx'
import { Spinner } from '../base/Spinner.tsx'
import { Steps } from '../base/Steps.tsx'
import { Truncate } from '../base/Truncate.tsx'
import { Breadcrumb } from '../layout/Breadcrumb.tsx'
import { NotFoundPanel } from '../layout/NotFoundPanel.tsx'
import { Pagination } from '../table/Pagination.tsx'
import { Spec } from './Spec.tsx'

const PAGER = {
  showing: (start: string, end: string, total: string) => `Showing ${start}–${end} of ${total}`,
  none: 'No Results',
  previous: 'Previous',
  next: 'Next',
}

export function DisplaySamples() {
  return (
    <>
      <Spec title="Badges and avatars">
        <div className="row">
          <Badge color="green">Verified</Badge>
          <Badge color="blue">Registered</Badge>
          <Badge color="orange">Invited</Badge>
          <Badge color="red">Revoked</Badge>
          <Badge>Draft</Badge>
        </div>
        <div className="row">
          <PlanBadge slabs={1}>Free</PlanBadge>
          <PlanBadge slabs={2}>Startup</PlanBadge>
          <PlanBadge slabs={3}>Scale</PlanBadge>
        </div>
        <div className="row row-3">
          <Avatar name="Mara Aldous" />
          <Avatar name="Tomás Ribeiro" size="md" />
          <Avatar name="Inês Carvalho" size="lg" />
        </div>
      </Spec>
      <Spec title="Section header">
        <SectionHeader title="Team" text="Everybody who works in this account.">
          <Badge>4 people</Badge>
        </SectionHeader>
      </Spec>
      <Spec title="Alerts">
        <Alert title="Verify your email">We sent a link to mara@northquay.studio.</Alert>
        <Alert tone="success" title="Two-factor is on">
          You will be asked for a code at sign-in.
        </Alert>
        <Alert tone="warning" title="You need to authorize your payment">
          Open the link your bank sent, then refresh.
        </Alert>
        <Alert tone="danger" title="Your latest payment failed">
          Update the card. We try again on 23 Nov.
        </Alert>
      </Spec>
      <Spec title="Empty, and not loaded">
        <EmptyState
          icon={KeyRound}
          title="No API keys"
          level={3}
          action={
            <Button variant="primary" size="sm">
              New key
            </Button>
          }
        >
          A key lets a program act for this account.
        </EmptyState>
        <EmptyState title="This list didn’t load" level={3} action={<Button size="sm">Try again</Button>}>
          Nothing is lost.
        </EmptyState>
      </Spec>
      <div className="spec--wide stack">
        <DescriptionList
          label="Plan in force"
          facts={[
            { key: 'plan', label: 'Plan', value: 'Startup', note: 'monthly' },
            { key: 'seats', label: 'Seats', value: '8', note: '$12.00 each' },
            { key: 'next', label: 'Next invoice', value: '$96.00', note: '4 December 2026' },
          ]}
        />
        <DescriptionListSkeleton keys={['plan', 'seats', 'next']} />
      </div>
      <Spec title="Steps" wide>
        <Steps steps={['Scan the code with your authenticator app.', 'Type the six digits it shows.']} />
      </Spec>
      <Spec title="Breadcrumb, pagination">
        <Breadcrumb
          label="Breadcrumb"
          items={[
            { name: 'API keys', url: '#keys' },
            { name: 'Warehouse sync', url: '#sync' },
            { name: 'Edit' },
          ]}
        />
        <Pagination label="Pages" start={21} end={40} total={200} onNext={() => {}} texts={PAGER} />
        <Pagination label="No pages" start={0} end={0} total={0} texts={PAGER} />
        <Truncate>
          A name that is longer than the line that it stands on is cut where it ends, whichever way it is
          written
        </Truncate>
        <Secret
          value="pk_live_51Hq0000000000000000"
          copyLabel="Copy"
          copiedLabel="Copied"
          refusedText="Your browser doesn’t allow copying here. The text is selected: copy it yourself."
        />
      </Spec>
      <Spec title="Nothing at this address, inside a frame">
        <NotFoundPanel inside title="No page is here" action={<Button>Go to the dashboard</Button>}>
          The address may be mistyped.
        </NotFoundPanel>
      </Spec>
      <Spec title="Progress, keys, skeleton">
        <PageProgress label="Loading" />
        <Progress label="Events this month" value={640} max={1000} valueText="640 of 1,000" />
        <Progress label="Seats" value={19} max={20} tone="warning" />
        <div className="row row-3">
          <Kbd>⌘</Kbd>
          <Kbd>K</Kbd>
          <Spinner label="Loading" />
        </div>
        <Skeleton width="60%" />
        <Skeleton width="90%" />
      </Spec>
    </>
  )
}
