import fc from 'fast-check'

/** The media type of these bodies. */
export const UPLOAD_TYPE = 'multipart/form-data; boundary=b'

const part = fc
  .tuple(
    fc.constantFrom('passport', 'selfie', 'mrz', '__proto__', '', 'x'.repeat(300), '\u0000'),
    fc.constantFrom(
      '',
      '; filename="a.jpg"',
      '; filename="../../a"',
      "; filename*=utf-8''%ff",
      '; filename="',
    ),
    fc.oneof(
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
      fc.constantFrom(
        Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]),
        Buffer.from('\x89PNG\r\n\x1a\n'),
        Buffer.alloc(70_000, 'P<'),
      ),
    ),
  )
  .map(([name, file, content]) =>
    Buffer.concat([
      Buffer.from(`--b\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`),
      content,
      Buffer.from('\r\n'),
    ]),
  )

/** Multipart bodies with parts, names and contents that nobody should send. */
export const arbitraryUpload: fc.Arbitrary<Buffer | null> = fc
  .tuple(fc.array(part, { maxLength: 5 }), fc.constantFrom('--b--\r\n', '', '--b', '--b--\r\n--b--'))
  .map(([parts, end]) => Buffer.concat([...parts, Buffer.from(end)]))
