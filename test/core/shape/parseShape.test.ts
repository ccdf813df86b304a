import { parseRequestFields, parseVerificationRequest } from '@svc/core/access/verificationRequest.ts'
import { requestFieldsSchema, verificationRequestSchema } from '@svc/core/access/verificationRequestSchema.ts'
import { type FieldError, parseWith } from '@svc/core/fieldErrors.ts'
import { parsePolicyFile } from '@svc/core/policyFile/parsePolicyFile.ts'
import { policyFileSchema } from '@svc/core/policyFile/policyFile.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { z } from 'zod'
import { anyText } from '../../harness/values/anyText.ts'
import { scaleCaseCount } from '../../harness/values/scaleCaseCount.ts'

const LONG = 'x'.repeat(261)
const UUID = '00000000-0000-4000-8000-000000000000'

const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    null,
    '',
    0,
    -1,
    1,
    25,
    true,
    [],
    {},
    [null],
    [''],
    ['a', 5],
    Number.NaN,
    Infinity,
    -Infinity,
  ),
  fc.constantFrom(
    1e16,
    -1e16,
    2 ** 60,
    1.5,
    -0,
    0.1234567890123456,
    'a\u0000b',
    '\u007f',
    LONG,
    'x y',
    'a.b.c',
  ),
  fc.constantFrom(
    LONG.repeat(9),
    Array(101).fill('a'),
    Array(101).fill(5),
    Array(60).fill(''),
    '../x',
    '[',
    'EUR',
    'DE',
  ),
  fc.constantFrom({ start: 9, end: 9 }, { start: 24, end: 24 }, { start: 24 }, { start: 9, end: 9, more: 1 }),
  fc.constantFrom(
    { autonomousThreshold: 5, approvalThreshold: 1, stepUpThreshold: 2 },
    { a: 1, b: 2, 'c/d~e': 3 },
  ),
  fc.constantFrom({ type: 'did' }, [{ type: 'did', value: '' }], [{ type: 'x', value: 'v', more: 1 }], {
    purpose: 'a b',
  }),
  anyText({ maxLength: 5 }),
)
const text = fc.constantFrom(
  'shopping',
  'read_data:list',
  'a.b',
  'DE',
  'EUR',
  '/a/**',
  'Europe/Berlin',
  'deny',
  'GET',
  UUID,
)
const value = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 2, arbitrary: fc.array(text, { maxLength: 3 }) },
  { weight: 2, arbitrary: fc.nat({ max: 30 }) },
  { weight: 1, arbitrary: fc.boolean() },
  { weight: 3, arbitrary: odd },
)

/** Objects with some of the named members, and now and then another. */
const members = (...names: string[]) =>
  fc.dictionary(
    fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom(...names) },
      { weight: 1, arbitrary: anyText({ maxLength: 3 }) },
    ),
    value,
    {
      maxKeys: 4,
      noNullPrototype: true,
    },
  )
const pdlss = fc.record(
  {
    purpose: fc.oneof(members('categories', 'allowedActions', 'deniedActions'), odd),
    duration: fc.oneof(members('maxSessionDuration', 'ttl', 'allowedDays', 'allowedHours', 'timezone'), odd),
    limits: fc.oneof(
      members(
        ...[
          'autonomousThreshold',
          'stepUpThreshold',
          'approvalThreshold',
          'maxTransactionsPerHour',
          'currency',
        ],
        ...['maxCumulativeSpend', 'cumulativePeriod', 'cumulativeScope'],
      ),
      odd,
    ),
    scope: members(
      ...[
        'jurisdictions',
        'resources',
        'unverifiedCounterpartyPolicy',
        'minCounterpartyTrustScore',
        'counterparties',
      ],
      ...['deniedResources', 'resourceTypes', 'requiredCertifications'],
    ),
    selfInstantiation: members(
      ...[
        'allowed',
        'maxSubAgents',
        'maxDepth',
        'inheritPermissions',
        'requireApproval',
        'allowedSubAgentPurposes',
      ],
    ),
    other: odd,
  },
  { requiredKeys: [] },
)
const policyFile = fc.record(
  {
    version: fc.oneof({ weight: 9, arbitrary: fc.constantFrom('1', 1) }, { weight: 1, arbitrary: odd }),
    agent: fc.oneof(members('id', 'name'), odd),
    pdlss: fc.oneof({ weight: 9, arbitrary: pdlss }, { weight: 1, arbitrary: odd }),
    endpoint: fc.oneof(
      { weight: 9, arbitrary: fc.record({ pdlss }, { requiredKeys: [] }) },
      { weight: 1, arbitrary: odd },
    ),
    unverifiedAgentPolicy: fc.oneof(fc.constantFrom('deny', 'audit', 'allow_partial', 'allow_full'), odd),
    routes: fc.oneof(
      fc.array(members('pattern', 'method', 'minAccessLevel', 'minIdentityProof'), { maxLength: 2 }),
      odd,
    ),
    defaults: fc.oneof(members('decision'), odd),
  },
  { requiredKeys: [] },
)
const request = members(
  ...['agentId', 'counterpartyId', 'counterpartyUrl', 'counterpartyType', 'purpose', 'action', 'resource'],
  ...['resourceType', 'jurisdiction', 'transactionValue', 'currency', 'sessionDuration', 'certifications'],
  ...['subAgent', 'createSession', 'enableRuntimeChallenge', 'includeTokenGuidance', 'dryRun', 'attemptId'],
  ...['callerMetadata', 'credentials'],
)

/** Zod keeps members that are undefined; nothing tells them from missing ones. */
const plain = (parsed: unknown) => JSON.parse(JSON.stringify(parsed))

/**
 * Expects the errors of the schema. Of a list where text is expected, and the reverse, schemas also say that it is too long,
 * which is beside the point; dropping that leaves fewer of the first 50.
 */
function expectErrors(shape: { errors: FieldError[] }, schema: { errors: FieldError[] }): void {
  const isWrongType = ({ pointer }: FieldError) =>
    schema.errors.some((error) => error.pointer === pointer && error.code === 'invalid_type')
  const isLength = ({ code }: FieldError) => code === 'too_big' || code === 'too_small'
  const wanted = schema.errors.filter((error) => !(isLength(error) && isWrongType(error)))
  const count = schema.errors.length < 50 ? undefined : wanted.length
  expect(shape.errors.slice(0, count)).to.deep.equal(wanted)
}

type Described = { properties?: Record<string, Described>; items?: Described }

/** The paths of all members that a JSON Schema names; `0` is an item of a list. */
function listMembers(schema: object): string[][] {
  const { properties = {}, items } = schema as Described
  const named = Object.entries(properties).flatMap(([name, member]) => [
    [name],
    ...listMembers(member).map((path) => [name, ...path]),
  ])
  return items === undefined ? named : listMembers(items).map((path) => ['0', ...path])
}

function place([name, ...path]: readonly string[], value: unknown): Record<string, unknown> | unknown[] {
  const inner = path.length === 0 ? value : place(path, value)
  return name === '0' ? [inner] : { [name ?? '']: inner }
}

describe('input parsed by its shape', () => {
  it('gets the value or the errors of the schema of a policy file', () => {
    fc.assert(
      fc.property(fc.oneof({ weight: 20, arbitrary: policyFile }, odd), (input) => {
        const schema = parseWith(policyFileSchema, input)
        const shape = parsePolicyFile(input)
        if (schema.ok && shape.ok) expect(plain(shape.policyFile)).to.deep.equal(plain(schema.value))
        else if (schema.ok || shape.ok) expect(shape.ok).to.equal(schema.ok)
        else expectErrors(shape, schema)
      }),
      { numRuns: scaleCaseCount(10_000) },
    )
  })

  for (const [what, schema, parse] of [
    ['a request', verificationRequestSchema, parseVerificationRequest],
    ['the fields of a request', requestFieldsSchema, parseRequestFields],
  ] as const) {
    it(`gets the errors of the schema of ${what}`, () => {
      fc.assert(
        fc.property(fc.oneof({ weight: 20, arbitrary: request }, odd), (input) => {
          const bySchema = parseWith(schema, input)
          const byShape = parse(input)
          expect(byShape.ok).to.equal(bySchema.ok)
          if (!byShape.ok && !bySchema.ok) expectErrors(byShape, bySchema)
        }),
        { numRuns: scaleCaseCount(10_000) },
      )
    })
  }

  it('knows every member that the schemas know', () => {
    for (const [schema, parse, base] of [
      [policyFileSchema, parsePolicyFile, { version: 1 }],
      [requestFieldsSchema, parseRequestFields, {}],
    ] as const) {
      const paths = listMembers(z.toJSONSchema(schema, { io: 'input' }))
      expect(paths.length).to.be.greaterThan(20)
      for (const path of paths) {
        const input = { ...base, ...place(path, Symbol('nothing')) }
        const [bySchema, byShape] = [parseWith(schema, input), parse(input)]
        if (bySchema.ok || byShape.ok) expect.fail(`${path.join('.')} is not checked`)
        else expectErrors(byShape, bySchema)
      }
    }
  })

  it('is a copy, so that changing the input later does not change the policy', () => {
    const input = { version: 1, pdlss: { purpose: { categories: ['a'] } } }
    const parsed = parsePolicyFile(input)
    input.pdlss.purpose.categories.push('b')
    expect(parsed.ok && parsed.policyFile).to.deep.equal({
      version: 1,
      pdlss: { purpose: { categories: ['a'] } },
    })
  })
})
