import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { brokenImage, tooManyPixels } from './exit-codes.ts'

/**
 * A program of its own (see ../pictures.ts): a picture comes in, a small square one goes out. Everything but the pixels
 * stays behind, and they are drawn anew: no place, no thumbnail, no colour profile, nothing after the end.
 */
const avatarSide = 256
/** More than today's telephones take by default; the largest of these needs some 200 MB for a moment. */
const maxPixels = 25_000_000
const maxSide = 10_000

async function processImage(kind: string) {
  // The two decoders that are needed, and no other: not even when a file passes for one of theirs.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer'] })
  sharp.cache(false)
  sharp.concurrency(1)

  const file = await buffer(process.stdin)
  const options = { limitInputPixels: maxPixels, failOn: 'truncated' } as const
  // The header alone: a bomb is refused before it is decoded.
  const { width, height, format } = await sharp(file, { ...options, limitInputPixels: false }).metadata()
  if (format !== (kind === 'png' ? 'png' : 'jpeg')) return brokenImage
  if (width > maxSide || height > maxSide || width * height > maxPixels) return tooManyPixels
  const square = sharp(file, options)
    // Upright first: the note which way up it is stays behind with the rest.
    .autoOrient()
    .resize(avatarSide, avatarSide, { fit: 'cover' })
    .toColourspace('srgb')
  const drawn = await (kind === 'png'
    ? square.png({ compressionLevel: 9 })
    : square.jpeg({ quality: 86, mozjpeg: true })
  ).toBuffer()
  await new Promise(resolve => process.stdout.write(drawn, resolve))
  return 0
}

process.exitCode = await processImage(process.argv[2] ?? '').catch(() => brokenImage)
