import { SamlProblem } from './problem.ts'
import { decodeAttribute, decodeText } from './xml-text.ts'

/** An element with resolved namespace. The attributes do not include namespace declarations. */
export type Element = {
  name: string
  ns: string
  attributes: Attribute[]
  children: Element[]
  /** All direct text, joined. */
  text: string
}
export type Attribute = { name: string; ns: string; value: string }

const XML_NS = 'http://www.w3.org/XML/1998/namespace'
/**
 * Far above genuine messages, low enough for the slower parsers that read the message afterwards. Comments are allowed
 * in metadata only; in a signed message they are an attack.
 */
const LIMITS = {
  message: { depth: 32, elements: 750, attributes: 1500, comments: false },
  metadata: { depth: 32, elements: 20_000, attributes: 40_000, comments: true },
}

const DECLARATION =
  /^<\?xml[ \t\n]+version=(["'])1\.0\1(?:[ \t\n]+encoding=(["'])([\w.-]+)\2)?(?:[ \t\n]+standalone=(["'])(?:yes|no)\4)?[ \t\n]*\?>/
const QNAME = '(?:([A-Za-z_][\\w.-]*):)?([A-Za-z_][\\w.-]*)'
const OPEN = new RegExp(`<${QNAME}`, 'y')
const ATTRIBUTE = new RegExp(`[ \\t\\n]+${QNAME}[ \\t\\n]*=[ \\t\\n]*(?:"([^"<]*)"|'([^'<]*)')`, 'y')
const OPEN_END = /[ \t\n]*(\/?)>/y
const CLOSE = new RegExp(`</${QNAME}[ \\t\\n]*>`, 'y')

type Scope = ReadonlyMap<string, string>
type Frame = { element: Element; prefix: string | undefined; scope: Scope }

/**
 * Parses the XML subset that SAML needs. Refuses document types, comments, processing instructions, CDATA, custom
 * entities and other encodings, so that no other parser can read the result differently. One pass without recursion.
 */
export function parseXml(source: string, kind: keyof typeof LIMITS): Element {
  const max = LIMITS[kind]
  let at = afterDeclaration(source)
  let count = { elements: 0, attributes: 0 }
  const stack: Frame[] = []
  let root: Element | null = null

  while (at < source.length) {
    const mark = source.indexOf('<', at)
    const text = source.slice(at, mark < 0 ? undefined : mark)
    const top = stack.at(-1)
    if (top) top.element.text += decodeText(text)
    else if (/[^ \t\n]/.test(text)) throw new SamlProblem('bad_xml')
    if (mark < 0) break

    if (source.startsWith('<!--', mark) && max.comments) {
      const end = source.indexOf('-->', mark + 4)
      if (end < 0) throw new SamlProblem('bad_xml')
      at = end + 3
    } else if (source.startsWith('</', mark)) {
      const [close, prefix, name] = match(CLOSE, source, mark)
      if (!top || top.prefix !== prefix || top.element.name !== name) throw new SamlProblem('bad_xml')
      stack.pop()
      at = mark + close.length
    } else {
      refuseMarkup(source, mark)
      if (root && !top) throw new SamlProblem('bad_xml')
      const opened = openElement(source, mark, top?.scope ?? new Map([['xml', XML_NS]]))
      count = {
        elements: count.elements + 1,
        attributes: count.attributes + opened.attributes,
      }
      if (count.elements > max.elements || count.attributes > max.attributes) {
        throw new SamlProblem('too_many_nodes')
      }
      top?.element.children.push(opened.frame.element)
      root ??= opened.frame.element
      if (!opened.closed) stack.push(opened.frame)
      if (stack.length > max.depth) throw new SamlProblem('too_deep')
      at = opened.end
    }
  }
  if (!root || stack.length > 0) throw new SamlProblem('bad_xml')
  return root
}

function afterDeclaration(source: string): number {
  const declaration = DECLARATION.exec(source)
  if (!declaration) return 0
  const encoding = declaration[3]
  if (encoding && encoding.toLowerCase() !== 'utf-8') throw new SamlProblem('bad_encoding', encoding)
  return declaration[0].length
}

function refuseMarkup(source: string, at: number) {
  if (/^<!doctype/i.test(source.slice(at, at + 9))) throw new SamlProblem('doctype')
  if (source[at + 1] === '!' || source[at + 1] === '?') throw new SamlProblem('markup_refused')
}

function openElement(source: string, start: number, outer: Scope) {
  const [open, prefix, name = ''] = match(OPEN, source, start)
  let at = start + open.length
  const found: { prefix: string | undefined; name: string; value: string }[] = []
  for (;;) {
    ATTRIBUTE.lastIndex = at
    const attribute = ATTRIBUTE.exec(source)
    if (!attribute) break
    const [whole, attributePrefix, local = '', double, single] = attribute
    found.push({ prefix: attributePrefix, name: local, value: decodeAttribute(double ?? single ?? '') })
    if (found.length > 100) throw new SamlProblem('too_many_nodes')
    at += whole.length
  }
  const [end, slash] = match(OPEN_END, source, at)
  if (new Set(found.map(each => `${each.prefix ?? ''}:${each.name}`)).size < found.length) {
    throw new SamlProblem('bad_xml')
  }

  const scope = declare(found, outer)
  const attributes = found
    .filter(each => !isDeclaration(each))
    .map(each => ({ name: each.name, value: each.value, ns: each.prefix ? resolve(scope, each.prefix) : '' }))
  if (new Set(attributes.map(each => `${each.name} ${each.ns}`)).size < attributes.length) {
    throw new SamlProblem('bad_xml')
  }
  const ns = prefix ? resolve(scope, prefix) : (scope.get('') ?? '')
  const element: Element = { name, ns, attributes, children: [], text: '' }
  return {
    frame: { element, prefix, scope },
    attributes: found.length,
    closed: slash === '/',
    end: at + end.length,
  }
}

const isDeclaration = ({ prefix, name }: { prefix: string | undefined; name: string }) =>
  prefix === 'xmlns' || (prefix === undefined && name === 'xmlns')

function declare(found: { prefix: string | undefined; name: string; value: string }[], outer: Scope): Scope {
  const declarations = found.filter(isDeclaration)
  if (declarations.length === 0) return outer
  const scope = new Map(outer)
  for (const { prefix, name, value } of declarations) {
    // `xml` may be declared with its fixed namespace (XML Namespaces, section 3).
    if (prefix && name === 'xml' && value === XML_NS) continue
    const reserved = value === XML_NS || value === 'http://www.w3.org/2000/xmlns/'
    if (reserved || (prefix && (value === '' || /^xml/i.test(name)))) throw new SamlProblem('bad_xml')
    scope.set(prefix ? name : '', value)
  }
  return scope
}

function resolve(scope: Scope, prefix: string): string {
  const ns = scope.get(prefix)
  if (ns === undefined) throw new SamlProblem('bad_xml')
  return ns
}

function match(pattern: RegExp, source: string, at: number): RegExpExecArray {
  pattern.lastIndex = at
  const found = pattern.exec(source)
  if (!found) throw new SamlProblem('bad_xml')
  return found
}
