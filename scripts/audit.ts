import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Advisory = { url?: string; title?: string; severity?: string; name?: string }
/** The part of `npm audit --json` that is read: `via` also holds names of other packages. */
type AuditReport = { vulnerabilities?: Record<string, { via: (Advisory | string)[] }> }
type Exception = { advisory: string; reason: string; until: string }

/**
 * Advisories for production dependencies that no exception covers today; null when the registry gave no answer.
 * @param today as YYYY-MM-DD; an exception counts through its last day
 */
export function openFindings(report: AuditReport, exceptions: Exception[], today: string): string[] | null {
  if (!report.vulnerabilities) return null
  const accepted = new Set(exceptions.filter(({ until }) => until >= today).map(({ advisory }) => advisory))
  const advisories = Object.values(report.vulnerabilities)
    .flatMap(({ via }) => via)
    .filter(via => typeof via !== 'string')
  const open = advisories.filter(({ url = '' }) => !accepted.has(url.split('/').at(-1) ?? ''))
  return [...new Set(open.map(({ severity, name, title, url }) => `${severity} ${name}: ${title} ${url}`))]
}

/** `npm run audit`: fails on a known vulnerability in a production dependency (SECURITY.md has the deadlines). */
function main() {
  const root = join(import.meta.dirname, '..')
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { cwd: root, encoding: 'utf8' })
  const exceptions: Exception[] = JSON.parse(
    readFileSync(join(root, 'scripts/audit-exceptions.json'), 'utf8'),
  )
  const findings = openFindings(parseReport(stdout), exceptions, new Date().toISOString().slice(0, 10))
  if (findings === null) {
    // A mirror without an audit endpoint, or no network: that says nothing about the dependencies.
    console.warn('audit: the registry gave no answer; nothing was checked')
    return
  }
  for (const finding of findings) console.error(`audit: ${finding}`)
  if (findings.length === 0) console.log('audit: no known vulnerability in production dependencies')
  else process.exitCode = 1
}

/** npm prints no JSON at all when it fails early. */
function parseReport(output: string): AuditReport {
  try {
    return JSON.parse(output)
  } catch {
    return {}
  }
}

if (import.meta.main) main()
