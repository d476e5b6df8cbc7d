// Runs after npm install ("prepare"). It must never break an install: not in CI, not in a tarball without
// git, not inside someone else's repository. Plain JavaScript: the Node that runs it may be the machine's old one.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const git = (...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

if (!process.env.CI && existsSync(`${root}.git`)) {
  try {
    let current = ''
    try {
      current = git('config', '--get', 'core.hooksPath').trim()
    } catch {
      // Not set: git answers with exit code 1.
    }
    // Somebody's own hooks are left alone.
    if (current === '') git('config', '--local', 'core.hooksPath', '.githooks')
  } catch {
    console.warn('The pre-commit hook was not installed: git config failed. Commits work without it.')
  }
}
