import { crc32, deflateSync } from 'node:zlib'

/** Encodes a chunk of a PNG file. */
export function encodePngChunk(type: string, content: Uint8Array = Buffer.alloc(0)): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  checksum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, checksum])
}

/** Encodes a plain grey picture that every browser displays; `extra` goes between its header and its data. */
export function encodePng(width = 320, height = 240, extra: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0])
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  const rows = Buffer.alloc((width + 1) * height, 0x80)
  for (let row = 0; row < height; row += 1) rows[row * (width + 1)] = 0
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    encodePngChunk('IHDR', head),
    extra,
    encodePngChunk('IDAT', deflateSync(rows)),
    encodePngChunk('IEND'),
  ])
}

/** Encodes a segment of a JPEG file. */
export function encodeJpegSegment(marker: number, content: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

/** Encodes the frame header of a grey picture. */
export function encodeJpegFrame(width: number, height: number, marker = 0xc0): Buffer {
  const content = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  content.writeUInt16BE(height, 1)
  content.writeUInt16BE(width, 3)
  return encodeJpegSegment(marker, content)
}

/** A scan: its header, then data that contains a stuffed byte and a restart marker. */
export const JPEG_SCAN = Buffer.concat([
  encodeJpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
  Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56]),
])

/** Encodes the parts of a picture as a JPEG file; its scan is not decodable. */
export function encodeJpeg(width = 320, height = 240, extra: Uint8Array = Buffer.alloc(0)): Buffer {
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    extra,
    encodeJpegSegment(0xdb, Buffer.alloc(65)),
    encodeJpegFrame(width, height),
    encodeJpegSegment(0xc4, Buffer.alloc(19)),
    JPEG_SCAN,
    Buffer.from([0xff, 0xd9]),
  ])
}

/** Encodes an APP1 segment with an orientation and the location where the picture was taken. */
export function encodeExifSegment(orientation: number, isLittle = true): Buffer {
  const tiff = Buffer.alloc(38)
  const write16 = (value: number, at: number) =>
    isLittle ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at)
  const write32 = (value: number, at: number) =>
    isLittle ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at)
  tiff.write(isLittle ? 'II' : 'MM', 0, 'latin1')
  write16(42, 2)
  write32(8, 4)
  write16(2, 8)
  write16(0x8825, 10)
  write16(4, 12)
  write32(1, 14)
  write16(0x0112, 22)
  write16(3, 24)
  write32(1, 26)
  write16(orientation, 30)
  return encodeJpegSegment(
    0xe1,
    Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff, Buffer.from('GPS 52.5 N')]),
  )
}
