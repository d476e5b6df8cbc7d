import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Refusal } from '../../lib/refusal.ts'
import { brokenImage, tooManyPixels } from './exit-codes.ts'
import { detectImageType, type ImageType } from './image-type.ts'

/** A picture as we keep it: square, without anything that was hidden in the file it came from. */
export type ProcessedImage = { kind: ImageType; bytes: Buffer }

export type Images = {
  /** @param field the input that a refusal leads to */
  processAvatar(file: Buffer, field: string): Promise<ProcessedImage>
}

type Options = {
  /** Pictures that are drawn at the same time; each is a process of its own. */
  maxProcesses?: number
  /** Those that may wait for it. */
  maxQueued?: number
  timeoutMs?: number
}

/**
 * Strangers' pictures are decoded in a process of their own: what is wrong with a file, or with the decoder, ends that
 * process and nothing else, and its memory is gone with it (T-70). It knows no secret and no address.
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
      // By the first bytes alone: what a file is called and says it is proves nothing.
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
    // Nothing of ours: neither secrets nor what preloads into a Node.
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
  const chunks: Buffer[] = []
  drawing.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  // It may end before it has read everything; its exit tells why.
  drawing.stdin.on('error', () => {})
  drawing.stdin.end(file)
  return new Promise((resolve, reject) => {
    drawing.on('error', reject)
    drawing.on('close', code => resolve({ code, bytes: Buffer.concat(chunks) }))
  })
}
