import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Refusal } from '../../lib/refusal.ts'
import { brokenImage, tooManyPixels } from './exit-codes.ts'
import { detectImageType, type ImageType } from './image-type.ts'

/** A square image without the metadata of the uploaded file. */
export type ProcessedImage = { kind: ImageType; bytes: Buffer }

export type Images = {
  /** @param field the form field named in a refusal */
  processAvatar(file: Buffer, field: string): Promise<ProcessedImage>
}

type Options = {
  /** Images processed at the same time, each in its own process. */
  maxProcesses?: number
  /** Images that may wait in the queue; more are refused. */
  maxQueued?: number
  timeoutMs?: number
}

/**
 * Decodes uploaded images in a separate process without secrets: a malicious file or a decoder bug can only end that
 * process, and its memory is freed with it.
 */
export function openImages({ maxProcesses = 2, maxQueued = 20, timeoutMs = 10_000 }: Options = {}): Images {
  let running = 0
  const queue: (() => void)[] = []

  async function withSlot<T>(run: () => Promise<T>): Promise<T> {
    if (queue.length >= maxQueued) throw new Refusal('busy', { retryAfter: 5 })
    if (running >= maxProcesses) await new Promise<void>(resolve => queue.push(resolve))
    else running++
    try {
      return await run()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running--
    }
  }

  return {
    async processAvatar(file, field) {
      // The first bytes decide: the client chooses the file name and the content type.
      const kind = detectImageType(file)
      if (!kind) throw new Refusal('file_type', { field })
      const { code, bytes } = await withSlot(() => runImageProcess(file, kind, timeoutMs))
      if (code === tooManyPixels) throw new Refusal('picture_too_large', { field })
      if (code !== 0 || detectImageType(bytes) !== kind)
        throw new Refusal(
          'picture_broken',
          { field },
          code === brokenImage ? undefined : new Error(`ended with ${code}`),
        )
      return { kind, bytes }
    },
  }
}

const program = fileURLToPath(new URL('./process.ts', import.meta.url))

function runImageProcess(
  file: Buffer,
  kind: ImageType,
  timeoutMs: number,
): Promise<{ code: number | null; bytes: Buffer }> {
  const drawing = spawn(process.execPath, ['--max-old-space-size=128', program, kind], {
    // Empty, so that the process gets no secrets and no NODE_OPTIONS.
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
  const chunks: Buffer[] = []
  drawing.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  // The process may end before it has read all input; its exit code says why.
  drawing.stdin.on('error', () => {})
  drawing.stdin.end(file)
  return new Promise((resolve, reject) => {
    drawing.on('error', reject)
    drawing.on('close', code => resolve({ code, bytes: Buffer.concat(chunks) }))
  })
}
