import { type ComponentProps, type ComponentType, createContext, use } from 'react'

export type LinkProps = ComponentProps<'a'> & { href: string }

const Renderer = createContext<ComponentType<LinkProps>>(props => <a {...props} />)

/** The application puts its router's link here once; the parts below stay deaf to routing. */
export const LinkRenderer = Renderer.Provider

export function Link(props: LinkProps) {
  const Anchor = use(Renderer)
  return <Anchor {...props} />
}

/** A link inside a sentence: ink with a quiet underline. */
export function TextLink({ className, ...rest }: LinkProps) {
  return <Link className={className ? `link ${className}` : 'link'} {...rest} />
}
