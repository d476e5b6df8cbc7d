import Bell from 'lucide-react/icons/bell'
import CircleUserRound from 'lucide-react/icons/circle-user-round'
import Frown from 'lucide-react/icons/frown'
import LayoutDashboard from 'lucide-react/icons/layout-dashboard'
import LifeBuoy from 'lucide-react/icons/life-buoy'
import LogOut from 'lucide-react/icons/log-out'
import Mail from 'lucide-react/icons/mail'
import Meh from 'lucide-react/icons/meh'
import Moon from 'lucide-react/icons/moon'
import Settings from 'lucide-react/icons/settings'
import Smile from 'lucide-react/icons/smile'
import { useState } from 'react'
import { Avatar } from '../base/Avatar.tsx'
import { Button, ButtonLink } from '../base/Button.tsx'
import { Field } from '../base/Field.tsx'
import { Icon } from '../base/Icon.tsx'
import { Input } from '../base/Input.tsx'
import { TextLink } from '../base/Link.tsx'
import { PasswordInput } from '../form/PasswordInput.tsx'
import { AccountShell, PageHead } from '../layout/AccountShell.tsx'
import { AppShell } from '../layout/AppShell.tsx'
import { AuthCard, AuthHeader, AuthLayout, Or } from '../layout/AuthLayout.tsx'
import { NavTile, NavTiles } from '../layout/NavTile.tsx'
import { NotFoundPanel } from '../layout/NotFoundPanel.tsx'
import { OnboardingLayout } from '../layout/Onboarding.tsx'
import { AvatarButton, JumpButton } from '../layout/TopBar.tsx'
import { Faces, FeedbackPanel } from '../overlay/Feedback.tsx'
import { HeartButton } from '../overlay/HeartButton.tsx'
import { Menu } from '../overlay/Menu.tsx'
import { TableSamples } from './TableSamples.tsx'

export function AuthSample() {
  return (
    <AuthLayout brand="Plinth" brandHref="#home" footer={<TextLink href="#terms">Terms</TextLink>}>
      <AuthCard>
        <AuthHeader title="Sign in">
          New to Plinth? <TextLink href="#sign-up">Create an account</TextLink>
        </AuthHeader>
        <form className="stack">
          <Field label="Email" valid>
            <Input large type="email" defaultValue="mara@northquay.studio" />
          </Field>
          <Field
            label="Password"
            aside={
              <TextLink href="#forgot" className="t13">
                Forgot password?
              </TextLink>
            }
            error="This email and password don’t match. Check both, or reset your password."
          >
            <PasswordInput
              large
              defaultValue="limestone1"
              showLabel="Show password"
              hideLabel="Hide password"
            />
          </Field>
          <Button variant="primary" size="lg" block type="submit">
            Login
          </Button>
        </form>
        <Or>or</Or>
        <div className="stack stack-2">
          <Button size="lg" block>
            Sign in with SSO
          </Button>
          <ButtonLink href="#magic" variant="ghost" size="lg" block icon={<Icon of={Mail} />}>
            Use a magic link instead
          </ButtonLink>
        </div>
      </AuthCard>
    </AuthLayout>
  )
}

const TOP = [
  { key: 'dashboard', label: 'Dashboard', icon: LayoutDashboard, href: '#dashboard' },
  { key: 'account', label: 'Account', icon: Settings, href: '#account', current: true },
]
const BOTTOM = [
  { key: 'help', label: 'Help', icon: LifeBuoy, href: '#help' },
  { key: 'out', label: 'Sign out', icon: LogOut, onSelect: () => {} },
]

export function ShellSample() {
  const [open, setOpen] = useState(false)
  const [face, setFace] = useState<string>()
  return (
    <AppShell
      brand="Plinth"
      home="#dashboard"
      title="Users"
      top={TOP}
      bottom={BOTTOM}
      search={<JumpButton label="Search or jump to" keys="⌘K" />}
      user={
        <Menu
          width={248}
          label="Your menu"
          head={
            <>
              <Avatar name="Mara Aldous" size="md" />
              <div>
                <div className="med">Mara Aldous</div>
                <div className="t13 ink3">mara@northquay.studio</div>
              </div>
            </>
          }
          entries={[
            { key: 'switch', heading: 'Switch account' },
            { key: 'a', label: 'Northquay Studio', selected: true, onSelect: () => {} },
            { key: 'b', label: 'Cortecalce', selected: false, onSelect: () => {} },
            { key: 'rule', separator: true },
            { key: 'dark', label: 'Dark mode', icon: Moon, onSelect: () => {} },
          ]}
          trigger={
            <AvatarButton label="Your menu">
              <Avatar name="Mara Aldous" size="md" />
            </AvatarButton>
          }
        />
      }
      labels={{
        main: 'Main',
        openMenu: 'Open menu',
        closeMenu: 'Close',
        menu: 'Menu',
        skip: 'Skip to content',
      }}
      floating={
        <>
          {open && (
            <FeedbackPanel
              title="How is Plinth working for you?"
              closeLabel="Close"
              onClose={() => setOpen(false)}
            >
              <Faces
                label="How is Plinth working for you?"
                value={face}
                onChange={setFace}
                faces={[
                  { value: 'positive', label: 'Good', icon: Smile },
                  { value: 'neutral', label: 'Fair', icon: Meh },
                  { value: 'negative', label: 'Poor', icon: Frown },
                ]}
              />
            </FeedbackPanel>
          )}
          <HeartButton label="Give feedback" open={open} onPress={() => setOpen(!open)} />
        </>
      }
    >
      <AccountShell
        label="Account"
        onNavigate={() => {}}
        groups={[
          {
            key: 'you',
            label: 'You',
            items: [
              { key: 'profile', label: 'Profile', icon: CircleUserRound, href: '#profile' },
              { key: 'notifications', label: 'Notifications', icon: Bell, href: '#users', current: true },
            ],
          },
        ]}
      >
        <PageHead text="8 of 20 seats in use, 2 more held by invites. Each seat costs $12.00 per month.">
          <Button variant="primary">Create user</Button>
        </PageHead>
        <TableSamples />
        <NavTiles>
          <NavTile
            href="#profile"
            icon={CircleUserRound}
            title="Profile"
            text="Your name, email and picture."
            go="Edit profile"
            level={2}
          />
        </NavTiles>
      </AccountShell>
    </AppShell>
  )
}

export function OnboardingSample() {
  const [step, setStep] = useState(1)
  return (
    <OnboardingLayout
      brand="Plinth"
      brandHref="#home"
      current={step}
      onStep={setStep}
      steps={[
        { key: 'welcome', title: 'Welcome', text: 'What Plinth does for you', done: true },
        { key: 'invite', title: 'Invite your team', text: 'Work in one account together' },
      ]}
      labels={{ steps: 'Steps', progress: (now, of) => `Step ${now} of ${of}` }}
      skip={<Button variant="ghost">Skip Intro</Button>}
      previous={<Button>Prev</Button>}
      next={<Button variant="primary">Finish</Button>}
      note={
        <>
          Need a hand? <TextLink href="#help">Write to us</TextLink>
        </>
      }
    >
      <AuthHeader title="Invite your team">They get an email with a link.</AuthHeader>
      <Field label="Email addresses">
        <Input />
      </Field>
    </OnboardingLayout>
  )
}

export function NotFoundSample() {
  return (
    <NotFoundPanel
      title="There is no page here"
      action={
        <ButtonLink variant="primary" href="#dashboard">
          Go to the dashboard
        </ButtonLink>
      }
    >
      The address may be mistyped, or the page has moved.
    </NotFoundPanel>
  )
}
