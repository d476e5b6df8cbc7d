import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { broken, tooManyPixels } from './exit-codes.ts'

/**
 * A program of its own (see ../pictures.ts): a picture comes in, a small square one goes out. Everything but the pixels
 * stays behind, and they are drawn anew: no place, no thumbnail, no colour profile, nothing after the end.
 */
const side = 256
/** More than today's telephones take by default; the largest of these needs some 200 MB for a moment. */
const mostPixels = 25_000_000
const longestSide = 10_000

async function draw(kind: string) {
  // The two decoders that are needed, and no other: not even when a file passes for one of theirs.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer'] })
  sharp.cache(false)
  sharp.concurrency(1)

  const file = await buffer(process.stdin)
  const options = { limitInputPixels: mostPixels, failOn: 'truncated' } as const
  // The header alone: a bomb is refused before it is decoded.
  const { width, height, format } = await sharp(file, { ...options, limitInputPixels: false }).metadata()
  if (format !== (kind === 'png' ? 'png' : 'jpeg')) return broken
  if (width > longestSide || height > longestSide || width * height > mostPixels) return tooManyPixels
  const square = sharp(file, options)
    // Upright first: the note which way up it is stays behind with the rest.
    .autoOrient()
    .resize(side, side, { fit: 'cover' })
    .toColourspace('srgb')
  const drawn = await (kind === 'png'
    ? square.png({ compressionLevel: 9 })
    : square.jpeg({ quality: 86, mozjpeg: true })
  ).toBuffer()
  await new Promise(resolve => process.stdout.write(drawn, resolve))
  return 0
}

process.exitCode = await draw(process.argv[2] ?? '').catch(() => broken)
