import { socialStart } from '../../../lib/paths.ts'
import { ButtonLink } from '../../../ui/base/Button.tsx'
import { ProviderLogo } from './ProviderLogo.tsx'
import type { Provider } from './use-providers.ts'

/** Two buttons in a row; a last single one takes the whole row. */
export function SocialButtons({ providers }: { providers: readonly Provider[] }) {
  return (
    <div className="grid-2 gap-2">
      {providers.map(({ id, name }, place) => (
        <ButtonLink
          key={id}
          size="lg"
          href={socialStart(id)}
          icon={<ProviderLogo of={id} />}
          className={place === providers.length - 1 && place % 2 === 0 ? 'col-span-full' : 'px-2'}
        >
          {name}
        </ButtonLink>
      ))}
    </div>
  )
}
