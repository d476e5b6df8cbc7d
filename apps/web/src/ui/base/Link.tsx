import { type ComponentProps, type ComponentType, createContext, use } from 'react'

export type LinkProps = ComponentProps<'a'> & { href: string }

const Renderer = createContext<ComponentType<LinkProps>>(props => <a {...props} />)

/** The app provides its router's link here, so that ui components do not depend on the router. */
export const LinkRenderer = Renderer.Provider

export function Link(props: LinkProps) {
  const Anchor = use(Renderer)
  return <Anchor {...props} />
}

/** A link inside a sentence. */
export function TextLink({ className, ...rest }: LinkProps) {
  return <Link className={className ? `link ${className}` : 'link'} {...rest} />
}
