import fc from 'fast-check'

const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)

/** JSON texts, and near-JSON texts, that have broken parsers, languages and databases. */
const FIXED = [
  ...['null', 'true', 'false', '0', '-0', '1', '-1', '0.1e1', '1e-400', '[]', '{}', '""'],
  // No double can represent them: they parse as Infinity or as another number.
  ...['1e400', '-1e400', '1e308', '9007199254740993', '1'.repeat(400), '0.'.padEnd(400, '3'), '4294967296'],
  ...['NaN', 'Infinity', '01', '.5', '0x10', '+1', 'undefined', "'x'", '"', ',', '{"a"', '[1,', '"\\x"'],
  ...['"\u0000"', '"a\nb"', '"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udfff\\ud800"', '"\\ud83d"'],
  ...['"__proto__"', '"constructor"', '"toString"', '"hasOwnProperty"', '"length"', '"then"', '"valueOf"'],
  '{"__proto__":{"polluted":true}}',
  '{"__proto__":null}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"a":1,"a":2}',
  '{"length":1000000000}',
  '{"then":"x"}',
  '{"toString":1,"valueOf":1}',
  '{"toJSON":{}}',
  '[[],[[]],{}]',
  nested('[', ']', 5),
  nested('[', ']', 40),
  nested('[', ']', 5_000),
  nested('{"a":', '}', 20).replace(':}', ':1}'),
  `${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`,
  `[${'0,'.repeat(5_000)}0]`,
  `{${Array.from({ length: 2_000 }, (_, at) => `"k${at}":0`).join(',')}}`,
  JSON.stringify('x'.repeat(300)),
  JSON.stringify('x'.repeat(3_000)),
  JSON.stringify('x'.repeat(40_000)),
  JSON.stringify('é🛒'.repeat(200)),
  JSON.stringify(`{${'{a,b}'.repeat(60)}`),
  JSON.stringify(`${'*a'.repeat(200)}*b`),
  JSON.stringify('%00%c0%af%zz..%2f..%2f'),
  JSON.stringify("' OR 1=1; DROP TABLE users; --"),
  JSON.stringify('<script>alert(1)</script>'),
  JSON.stringify('\r\nX-Injected: 1\r\n'),
  JSON.stringify('\u202e\u2028\ufeff\u00ad'),
  JSON.stringify('{{7*7}}`id`$(id)'),
  JSON.stringify('İıſK'),
  JSON.stringify('http://127.0.0.1:1/'),
  JSON.stringify('https://user:pw@[::ffff:127.0.0.1]:1/?#'),
  JSON.stringify('file:///etc/passwd'),
  JSON.stringify('javascript:alert(1)'),
  JSON.stringify('data:text/html,x'),
  JSON.stringify('9999-99-99T99:99:99Z'),
  JSON.stringify('-271821-04-20T00:00:00.000Z'),
  JSON.stringify('1e400'),
  JSON.stringify('-1'),
]

const escaped = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { minLength: 1, maxLength: 6 })
  .map((units) => `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`)

/** A text that replaces a valid value: of another type, huge, deep, or not JSON at all. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...FIXED) },
  { weight: 1, arbitrary: escaped },
  { weight: 1, arbitrary: fc.double().map((number) => String(number)) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
)
