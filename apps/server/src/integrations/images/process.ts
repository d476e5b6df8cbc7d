import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { brokenImage, tooManyPixels } from './exit-codes.ts'

/**
 * Runs as its own process (see images.ts): reads an image from stdin and writes a small square one to stdout. Encodes
 * only the pixels, so that location, thumbnail, colour profile and trailing data are dropped.
 */
const avatarSide = 256
/** Larger than the default photo of current phones. Decoding the maximum needs about 200 MB. */
const maxPixels = 25_000_000
const maxSide = 10_000

async function processImage(kind: string) {
  // Allow only the PNG and JPEG decoders.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer'] })
  sharp.cache(false)
  sharp.concurrency(1)

  const file = await buffer(process.stdin)
  const options = { limitInputPixels: maxPixels, failOn: 'truncated' } as const
  // Reads the header only, so that a decompression bomb is refused before it is decoded.
  const { width, height, format } = await sharp(file, { ...options, limitInputPixels: false }).metadata()
  if (format !== (kind === 'png' ? 'png' : 'jpeg')) return brokenImage
  if (width > maxSide || height > maxSide || width * height > maxPixels) return tooManyPixels
  const square = sharp(file, options)
    // Rotate first: the orientation is metadata and is dropped.
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
