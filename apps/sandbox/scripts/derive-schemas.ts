/**
 * Writes src/generated/stripe-schemas.json: closed JSON Schemas of the sandbox's requests and responses, derived from
 * the types of the installed SDK. A test fails when they differ.
 * Run: node scripts/derive-schemas.ts
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import ts from 'typescript'
import { requestRoots, responseRoots } from './schema-roots.ts'

type Schema = Record<string, unknown>
type Mode = 'request' | 'response'

const packageDir = join(dirname(createRequire(import.meta.url).resolve('stripe')), '..')
const packageFile = join(packageDir, 'package.json')
const typesDir = join(packageDir, 'esm')
export const schemaFile = fileURLToPath(new URL('../src/generated/stripe-schemas.json', import.meta.url))

function openProgram() {
  const files = [...requestRoots, ...responseRoots].map(([file]) =>
    join(typesDir, 'resources', `${file}.d.ts`),
  )
  const program = ts.createProgram([...new Set(files)], {
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    skipLibCheck: true,
    types: [],
  })
  return { program, checker: program.getTypeChecker() }
}

const isResource = (type: ts.Type) => {
  const symbol = type.getSymbol()
  const top = symbol?.declarations?.[0]?.parent
  return top !== undefined && ts.isSourceFile(top) && type.getProperty('object') !== undefined
}

export function deriveSchemas() {
  const { program, checker } = openProgram()
  const definitions: Record<string, Schema> = {}
  const names = new Map<ts.Symbol, string>()
  const spoken = new Set<ts.Symbol>()

  const find = (file: string, name: string) => {
    const source = program.getSourceFile(join(typesDir, 'resources', `${file}.d.ts`))
    let symbol = source && checker.getSymbolAtLocation(source)
    for (const part of name.split('.'))
      symbol = symbol && checker.getExportsOfModule(symbol).find(one => one.name === part)
    if (!symbol) throw new Error(`the SDK has no ${name} in ${file}`)
    return symbol
  }

  const nameOf = (symbol: ts.Symbol) => {
    const known = names.get(symbol)
    if (known) return known
    const full = checker
      .getFullyQualifiedName(symbol)
      .replace(/^".*"\./, '')
      .replace(/^(Billing|TestHelpers)\./, '')
    const folder = symbol.declarations?.[0]
      ?.getSourceFile()
      .fileName.match(/resources\/(\w+)\/\w+\.d\.ts$/)?.[1]
    const taken = new Set(names.values())
    const name = taken.has(full) ? `${folder ?? 'shared'}_${full}` : full
    if (taken.has(name)) throw new Error(`two types are called ${name}`)
    names.set(symbol, name)
    return name
  }

  const convertUnion = (type: ts.UnionType, mode: Mode): Schema => {
    const literals: (string | number)[] = []
    const others = new Map<string, Schema>()
    let plainString = false
    let openEnum = false
    let nullable = false
    let booleans = 0
    for (const part of type.types) {
      if (part.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) continue
      if (part.flags & ts.TypeFlags.Null) nullable = true
      else if (part.flags & ts.TypeFlags.BooleanLiteral) booleans++
      else if (part.isStringLiteral() || part.isNumberLiteral()) literals.push(part.value)
      else if (part.flags & ts.TypeFlags.String) plainString = true
      else if (part.isIntersection() && part.types.some(one => one.flags & ts.TypeFlags.String))
        openEnum = true
      else if (mode === 'response' && isResource(part) && !spoken.has(part.symbol)) continue
      else {
        const schema = convert(part, mode)
        others.set(JSON.stringify(schema), schema)
      }
    }
    const arms = [...others.values()]
    if (booleans === 2) arms.unshift({ type: 'boolean' })
    else if (booleans === 1) arms.unshift({ const: checker.typeToString(type).includes('true') })
    if (plainString || (openEnum && literals.length === 0)) arms.unshift({ type: 'string' })
    else if (literals.length > 0) arms.unshift({ enum: literals.sort() })
    if (arms.length === 0 && !nullable) return { type: 'object' }
    const [only] = arms
    if (
      nullable &&
      arms.length === 1 &&
      only &&
      typeof only.type === 'string' &&
      Object.keys(only).length === 1
    )
      return { type: [only.type, 'null'] }
    if (nullable) arms.push({ type: 'null' })
    return arms.length === 1 && arms[0] ? arms[0] : { anyOf: arms }
  }

  const convertObject = (type: ts.Type, mode: Mode): Schema => {
    const index = type.getStringIndexType()
    const properties: Record<string, Schema> = {}
    const required: string[] = []
    for (const property of type.getProperties()) {
      const own = checker.getTypeOfSymbol(property)
      const optional = (property.flags & ts.SymbolFlags.Optional) !== 0
      const bare = checker.getNonNullableType(own)
      if (bare.flags & (ts.TypeFlags.Never | ts.TypeFlags.Void) && !(own.flags & ts.TypeFlags.Null)) continue
      if (checker.typeToString(own).replace(' | undefined', '') === 'void') continue
      properties[property.name] = convert(own, mode)
      if (!optional) required.push(property.name)
    }
    if (mode === 'response' && !index && type.getProperties().length === 0) return { type: 'object' }
    const extra = index ? convert(index, mode) : false
    return {
      type: 'object',
      properties,
      ...(required.length > 0 && { required }),
      additionalProperties: extra,
    }
  }

  const convert = (type: ts.Type, mode: Mode): Schema => {
    if (type.aliasSymbol?.name === 'Decimal' || type.symbol?.name === 'Decimal')
      return { type: 'string', format: 'decimal' }
    if (type.isUnion()) return convertUnion(type, mode)
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value }
    if (type.flags & ts.TypeFlags.BooleanLiteral) return { const: checker.typeToString(type) === 'true' }
    if (type.flags & ts.TypeFlags.String) return { type: 'string' }
    if (type.flags & ts.TypeFlags.Number) return { type: 'number' }
    if (type.flags & ts.TypeFlags.Boolean) return { type: 'boolean' }
    if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return {}
    if (type.isIntersection() && type.types.some(one => one.flags & ts.TypeFlags.String))
      return { type: 'string' }
    if (type.isIntersection() && type.types.some(one => one.symbol?.name === 'DecimalImpl'))
      return { type: 'string', format: 'decimal' }
    const [element] = checker.isArrayType(type) ? checker.getTypeArguments(type as ts.TypeReference) : [] // as: isArrayType is true
    if (element) return { type: 'array', items: convert(element, mode) }
    if (type.symbol?.name === 'ApiList') return convertObject(type, mode)
    if (mode === 'response' && isResource(type) && !spoken.has(type.symbol)) return { type: 'object' }
    if (!type.symbol || type.symbol.name === '__type') return convertObject(type, mode)
    const name = nameOf(type.symbol)
    if (!definitions[name]) {
      definitions[name] = {} // ends the recursion of types that contain themselves
      definitions[name] = convertObject(type, mode)
    }
    return { $ref: `#/definitions/${name}` }
  }

  const roots = (list: typeof requestRoots) =>
    list.flatMap(([file, all]) => all.map(name => find(file, name)))
  const responses = roots(responseRoots)
  for (const symbol of responses) spoken.add(symbol)
  for (const symbol of responses) nameOf(symbol) // first, so that responses get the short names
  for (const symbol of responses) convert(checker.getDeclaredTypeOfSymbol(symbol), 'response')
  for (const symbol of roots(requestRoots)) convert(checker.getDeclaredTypeOfSymbol(symbol), 'request')
  const sorted = Object.fromEntries(Object.entries(definitions).sort(([a], [b]) => (a < b ? -1 : 1)))
  return {
    sdk: String(JSON.parse(readFileSync(packageFile, 'utf8')).version),
    apiVersion: apiVersion(),
    definitions: sorted,
  }
}

const apiVersion = () =>
  readFileSync(join(typesDir, 'apiVersion.js'), 'utf8').match(/ApiVersion = '([^']+)'/)?.[1] ?? 'unknown'

/** One definition a line: small, with a readable diff after an SDK update. */
export function renderSchemas({ sdk, apiVersion: version, definitions }: ReturnType<typeof deriveSchemas>) {
  const lines = Object.entries(definitions).map(
    ([name, schema]) => `${JSON.stringify(name)}:${JSON.stringify(schema)}`,
  )
  return `{"sdk":"${sdk}","apiVersion":"${version}","definitions":{\n${lines.join(',\n')}\n}}\n`
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  writeFileSync(schemaFile, renderSchemas(deriveSchemas()))
