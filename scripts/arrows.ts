import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ICruiseResult } from 'dependency-cruiser'

/** The folders whose imports are checked. */
const FOLDERS = ['apps', 'packages', 'scripts', 'bench', 'e2e']

export type ArrowsReport = {
  /** How many modules of ours were read, and how many of them are TypeScript. */
  modules: number
  typescript: number
  rules: string[]
  violations: { rule: string; from: string; to: string; sentence: string }[]
}

/** dependency-cruiser sees circles of files; these rules see circles of folders. Tests may import any folder. */
const folderRules = [
  {
    name: 'no-feature-circles',
    comment: 'No feature imports itself, directly or through other features.',
    folder: /^apps\/(server|web)\/src\/features\/[^/]+/,
  },
  {
    name: 'no-ui-circles',
    comment: 'No folder of ui imports itself, directly or through other folders of ui.',
    folder: /^apps\/web\/src\/ui\/[^/]+(?=\/)/,
  },
]

const cli = join(import.meta.dirname, '../node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')

/**
 * Cruises a tree (the project, or a planted one) with the rules of a configuration file.
 * Throws when nothing, or no TypeScript, was read: dependency-cruiser calls an empty cruise a success.
 */
export function checkArrows(tree: string, config: string): ArrowsReport {
  const folders = FOLDERS.filter(folder => existsSync(join(tree, folder)))
  const run = spawnSync(process.execPath, [cli, '--config', config, '--output-type', 'json', ...folders], {
    cwd: tree,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
  if (run.error || run.stdout.trim() === '') {
    throw new Error(`dependency-cruiser did not run: ${run.error?.message ?? run.stderr}`)
  }
  const cruised = JSON.parse(run.stdout) as ICruiseResult // what its JSON reporter prints
  const ours = cruised.modules.filter(module =>
    folders.some(folder => module.source.startsWith(`${folder}/`)),
  )
  const typescript = ours.filter(module => /\.tsx?$/.test(module.source)).length
  if (ours.length === 0 || typescript === 0) {
    throw new Error(`Nothing was checked: ${ours.length} modules read, ${typescript} of them TypeScript.`)
  }
  const rules = cruised.summary.ruleSetUsed?.forbidden ?? []
  const sentences = new Map(rules.map(rule => [rule.name ?? '', rule.comment ?? '']))
  const broken = cruised.summary.violations.map(violation => ({
    rule: violation.rule.name,
    from: violation.from,
    to: violation.to,
    sentence: sentences.get(violation.rule.name) ?? '',
  }))
  return {
    modules: ours.length,
    typescript,
    rules: [...rules, ...folderRules].map(rule => rule.name ?? ''),
    violations: [...broken, ...folderRules.flatMap(rule => findFolderCircles(rule, ours))],
  }
}

/** Imports between two folders that import each other, directly or through further folders; one for each pair. */
function findFolderCircles(
  rule: (typeof folderRules)[number],
  modules: ICruiseResult['modules'],
): ArrowsReport['violations'] {
  const folderOf = (path: string) => (/\.test\.tsx?$/.test(path) ? undefined : rule.folder.exec(path)?.[0])
  const imports = new Map<string, Map<string, { from: string; to: string }>>()
  for (const module of modules) {
    const from = folderOf(module.source)
    for (const { resolved } of module.dependencies) {
      const to = folderOf(resolved)
      if (!from || !to || from === to) continue
      const targets = imports.get(from) ?? new Map()
      if (!targets.has(to)) targets.set(to, { from: module.source, to: resolved })
      imports.set(from, targets)
    }
  }
  const reachable = (start: string) => {
    const seen = new Set<string>()
    const open = [start]
    for (let next = open.pop(); next !== undefined; next = open.pop())
      for (const target of imports.get(next)?.keys() ?? [])
        if (!seen.has(target)) {
          seen.add(target)
          open.push(target)
        }
    return seen
  }
  return [...imports].flatMap(([from, targets]) =>
    [...targets].flatMap(([to, example]) =>
      reachable(to).has(from) ? [{ rule: rule.name, ...example, sentence: rule.comment }] : [],
    ),
  )
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const report = checkArrows(root, join(root, '.dependency-cruiser.cjs'))
  const broken = new Set(report.violations.map(violation => violation.rule))
  for (const { rule, from, to, sentence } of report.violations) {
    console.error(`${rule}: ${from} -> ${to}\n  ${sentence}`)
  }
  console.log(`arrows: ${report.rules.length} rules over ${report.modules} modules, ${broken.size} broken`)
  // One check per rule, for scripts/test.ts.
  console.log(`checks: ${report.rules.length - broken.size} passed, ${broken.size} failed`)
  process.exitCode = broken.size > 0 ? 1 : 0
}
