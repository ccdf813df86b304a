import { crc32 as otherCrc32 } from 'node:zlib'
import { cleanPicture } from '@svc/core/kyd/cleanPicture.ts'
import { computeCrc32 } from '@svc/core/kyd/cleanPng.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import {
  encodeExifSegment,
  encodeJpeg,
  encodeJpegFrame,
  encodeJpegSegment,
  encodePng,
  encodePngChunk,
  JPEG_SCAN,
} from '../../builders/pictures.ts'

const bytes = (...parts: (Uint8Array | string)[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)))

const faultOf = (file: Uint8Array) => {
  const picture = cleanPicture(file)
  return 'fault' in picture ? picture.fault : null
}
const cleaned = (file: Uint8Array) => {
  const picture = cleanPicture(file)
  if ('fault' in picture) throw new Error(picture.fault)
  return { ...picture, bytes: Buffer.from(picture.bytes) }
}

describe('cleanPicture', () => {
  it('determines type and dimensions from the content', () => {
    const { bytes: _, ...first } = cleaned(encodeJpeg(400, 300))
    expect(first).to.deep.equal({ mediaType: 'image/jpeg', width: 400, height: 300 })
    const { bytes: __, ...second } = cleaned(encodePng(300, 500))
    expect(second).to.deep.equal({ mediaType: 'image/png', width: 300, height: 500 })
  })

  it('leaves a picture without anything else unchanged', () => {
    expect(cleaned(encodeJpeg()).bytes.equals(encodeJpeg())).to.equal(true)
    expect(cleaned(encodePng()).bytes.equals(encodePng())).to.equal(true)
  })

  it('removes what follows the end', () => {
    for (const picture of [encodeJpeg(), encodePng()]) {
      expect(cleaned(bytes(picture, '<script>alert(1)</script>PK\x03\x04')).bytes.equals(picture)).to.equal(
        true,
      )
    }
  })

  it('removes comments, texts, profiles and application data', () => {
    const added = [0xe0, 0xe1, 0xe2, 0xed, 0xee, 0xfe].map((marker) =>
      encodeJpegSegment(marker, Buffer.from('<?php ?>')),
    )
    expect(cleaned(encodeJpeg(320, 240, bytes(...added))).bytes.equals(encodeJpeg())).to.equal(true)
    const texts = ['tEXt', 'zTXt', 'iTXt', 'eXIf', 'iCCP', 'acTL', 'prVt'].map((type) =>
      encodePngChunk(type, Buffer.from('<?php ?>')),
    )
    expect(cleaned(encodePng(320, 240, bytes(...texts))).bytes.equals(encodePng())).to.equal(true)
  })

  it('keeps the orientation, but not the location', () => {
    for (const isLittle of [true, false]) {
      for (const orientation of [2, 3, 6, 8]) {
        const { bytes: kept } = cleaned(encodeJpeg(320, 240, encodeExifSegment(orientation, isLittle)))
        expect(kept.includes('GPS')).to.equal(false)
        expect(kept.length).to.equal(encodeJpeg().length + 36)
        expect(kept.readUInt16BE(2 + 4 + 6 + 8 + 2 + 8)).to.equal(orientation)
        expect(cleaned(kept).bytes.equals(kept)).to.equal(true)
      }
      for (const orientation of [0, 1, 9]) {
        expect(
          cleaned(encodeJpeg(320, 240, encodeExifSegment(orientation, isLittle))).bytes.equals(encodeJpeg()),
        ).to.equal(true)
      }
    }
  })

  it('applies the first of two orientations, as browsers do', () => {
    const { bytes: kept } = cleaned(encodeJpeg(320, 240, bytes(encodeExifSegment(6), encodeExifSegment(3))))
    expect(kept.equals(cleaned(encodeJpeg(320, 240, encodeExifSegment(6))).bytes)).to.equal(true)
  })

  it('keeps the colour space', () => {
    const adobe = encodeJpegSegment(0xee, bytes('Adobe', Buffer.from([0, 100, 0, 0, 0, 0, 2])))
    expect(cleaned(encodeJpeg(320, 240, adobe)).bytes.includes('Adobe')).to.equal(true)
  })

  for (const [name, file] of [
    ['nothing', Buffer.alloc(0)],
    ['a text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a GIF', Buffer.from('GIF89a')],
    ['an archive before a picture', bytes('PK\x03\x04', encodeJpeg())],
    ['half a signature', encodePng().subarray(0, 6)],
  ] as const) {
    it(`recognises no type for ${name}`, () => expect(faultOf(file)).to.equal('unknown_type'))
  }

  const soi = Buffer.from([0xff, 0xd8])
  const eoi = Buffer.from([0xff, 0xd9])
  for (const [name, file] of [
    ['no scan', bytes(soi, encodeJpegFrame(320, 240), eoi)],
    ['a scan before its frame', bytes(soi, JPEG_SCAN, encodeJpegFrame(320, 240), eoi)],
    ['two frames', bytes(soi, encodeJpegFrame(320, 240), encodeJpegFrame(9000, 9000), JPEG_SCAN, eoi)],
    ['a lossless frame', bytes(soi, encodeJpegFrame(320, 240, 0xc3), JPEG_SCAN, eoi)],
    ['a frame without height', bytes(soi, encodeJpegFrame(320, 0), JPEG_SCAN, eoi)],
    ['no end', encodeJpeg().subarray(0, -2)],
    ['a segment past its end', bytes(soi, Buffer.from([0xff, 0xdb, 0xff, 0xff, 0]))],
    ['bytes between segments', bytes(soi, encodeJpegFrame(320, 240), 'x', JPEG_SCAN, eoi)],
    ['a wrong checksum', bytes(encodePng().subarray(0, 30), Buffer.from([1]), encodePng().subarray(31))],
    [
      'a head that is not first',
      bytes(encodePng().subarray(0, 8), encodePngChunk('tEXt'), encodePng().subarray(8)),
    ],
    ['two heads', bytes(encodePng().subarray(0, 33), encodePng().subarray(8))],
    ['no data', bytes(encodePng().subarray(0, 33), encodePngChunk('IEND'))],
    ['an unknown critical chunk', encodePng(320, 240, encodePngChunk('ABCD'))],
  ] as const) {
    it(`reports a picture with ${name} as broken`, () => expect(faultOf(file)).to.equal('broken'))
  }

  it('reports every truncated picture as broken', () => {
    for (const picture of [encodeJpeg(), encodePng()]) {
      for (let length = 8; length < picture.length; length += 1) {
        expect(faultOf(picture.subarray(0, length)), `${length} bytes`).to.equal('broken')
      }
    }
  })

  it('accepts only dimensions that a person can review', () => {
    expect([
      faultOf(encodeJpeg(200, 200)),
      faultOf(encodeJpeg(8000, 8000)),
      faultOf(encodeJpeg(12_000, 5000)),
    ]).to.deep.equal([null, null, null])
    expect([faultOf(encodeJpeg(199, 900)), faultOf(encodeJpeg(900, 199))]).to.deep.equal([
      'too_small',
      'too_small',
    ])
    expect([faultOf(encodeJpeg(12_001, 300)), faultOf(encodeJpeg(9000, 9000))]).to.deep.equal([
      'too_big',
      'too_big',
    ])
  })

  it('terminates, whatever follows a signature', () => {
    const start = fc.constantFrom(encodeJpeg().subarray(0, 90), encodePng().subarray(0, 33), soi)
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 400 }), (head, tail) => {
        expect(cleanPicture(bytes(head, tail))).to.be.an('object')
      }),
    )
  })

  it('is idempotent', () => {
    const extras = fc.array(
      fc.tuple(fc.constantFrom(0xe0, 0xe1, 0xe5, 0xee, 0xfe), fc.uint8Array({ maxLength: 60 })),
    )
    fc.assert(
      fc.property(extras, fc.uint8Array({ maxLength: 60 }), (segments, tail) => {
        const extra = bytes(...segments.map(([marker, content]) => encodeJpegSegment(marker, content)))
        const once = cleaned(bytes(encodeJpeg(320, 240, extra), tail)).bytes
        expect(cleaned(once).bytes.equals(once)).to.equal(true)
      }),
    )
  })
})

describe('crc32', () => {
  it('agrees with an independent implementation', () => {
    fc.assert(fc.property(fc.uint8Array(), (content) => computeCrc32(content) === otherCrc32(content)))
  })
})
