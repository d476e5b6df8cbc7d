import { existsSync, globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allSteps } from './test/steps.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The names in the table of variables that the server's config.ts declares. */
const variables = [...read('apps/server/src/config.ts').matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(
  ([, name]) => name ?? '',
)

describe('the documents keep up with the code', () => {
  test('.env.example and docs/operations.md name every variable that the server reads', () => {
    expect(variables.length).toBeGreaterThan(10)
    const example = read('.env.example')
    expect(variables.filter(name => !example.includes(`\n#${name}=`))).toEqual([])
    const operations = read('docs/operations.md')
    expect(variables.filter(name => !operations.includes(`\`${name}\``))).toEqual([])
  })

  test('.env.example has each variable once, commented out, and no unknown one', () => {
    const names = [...read('.env.example').matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name ?? '')
    expect(new Set(names).size).toBe(names.length)
    expect(read('.env.example')).not.toMatch(/^[A-Z]/m)
    const elsewhere = /^(SANDBOX_SMTP_PORT|GOOGLE_|GITHUB_|MICROSOFT_|S3_|REDIS_URL|TEST_|CHROMIUM_PATH)/
    expect(names.filter(name => !variables.includes(name) && !elsewhere.test(name))).toEqual([])
  })

  test('docs/architecture.md says each arrow in the words of the rule', () => {
    type Rule = { name: string; comment: string }
    const config: { forbidden: Rule[] } = createRequire(import.meta.url)('../.dependency-cruiser.cjs')
    const text = read('docs/architecture.md')
    expect(config.forbidden).toHaveLength(16)
    for (const { name, comment } of config.forbidden) expect(text).toContain(`**${name}**: ${comment}`)
  })

  test('every link between documents leads somewhere', () => {
    const documents = [
      'README.md',
      'CONTRIBUTING.md',
      'AGENTS.md',
      ...globSync('docs/**/*.md', { cwd: root }),
    ]
    const broken = documents.flatMap(document =>
      [...read(document).matchAll(/\]\(([^)#\s]+)/g)]
        .map(([, target]) => target ?? '')
        .filter(target => !/^https?:/.test(target) && !existsSync(join(root, dirname(document), target)))
        .map(target => `${document}: ${target}`),
    )
    expect(broken).toEqual([])
  })

  test.each(['README.md', 'CONTRIBUTING.md', 'AGENTS.md', 'docs/operations.md'])(
    '%s names npm scripts and test steps that exist',
    file => {
      const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts
      const named = [...read(file).matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name ?? '')
      expect(named.filter(name => scripts[name] === undefined)).toEqual([])
      const steps = allSteps(() => Promise.reject(new Error('not needed'))).map(({ name }) => name)
      const chosen = [...read(file).matchAll(/--only=([a-z0-9,]+)/g)].flatMap(
        ([, list]) => list?.split(',') ?? [],
      )
      expect(chosen.filter(name => !steps.includes(name))).toEqual([])
    },
  )

  test('AGENTS.md names paths that exist', () => {
    const paths = [
      ...read('AGENTS.md').matchAll(/`((?:apps|packages|docs|scripts|e2e|bench)\/[^`\s<]*)`/g),
    ].map(([, path]) => path ?? '')
    expect(paths.length).toBeGreaterThan(10)
    expect(paths.filter(path => !existsSync(join(root, path)))).toEqual([])
  })
})
