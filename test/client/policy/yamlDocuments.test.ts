import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EvaluatePolicyError } from '@svc/client/policy/evaluatePolicyError.ts'
import { readPolicyText } from '@svc/client/policy/readPolicyText.ts'
import { expect } from 'chai'

/** A document of yaml-test-suite; `uses` names what a policy file may not contain although it is YAML. */
type YamlDocument = { id: string; yaml: string; isInvalid?: true; uses?: string[] }

const DOCUMENTS: YamlDocument[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../fixtures/standards/yamlDocuments.json'), 'utf8'),
)

/** Valid documents with a key twice or an unknown directive, which would be read in more than one way. */
const REFUSED = ['2JQS', '2LFX', '6LVF', 'BEC7', 'MUS6/05', 'MUS6/06']
/** An invalid document whose only fault is that it states its version twice. */
const TOLERATED = 'SF5V'

describe('the text of a policy file', () => {
  /** Whether a text is refused as YAML; none of the documents is a policy, so that all are refused in the end. */
  const isMalformed = (yaml: string): boolean => {
    try {
      readPolicyText(yaml)
    } catch (error) {
      expect(error).to.be.instanceOf(EvaluatePolicyError)
      return (error as EvaluatePolicyError).errors.some(({ code }) => code === 'malformed')
    }
    throw new Error('the document is no policy')
  }

  it('is refused if yaml-test-suite says that it is no YAML', () => {
    const invalid = DOCUMENTS.filter(({ isInvalid }) => isInvalid)
    expect(invalid.length).to.be.at.least(90)
    const accepted = invalid.filter(({ yaml }) => !isMalformed(yaml)).map(({ id }) => id)
    expect(accepted).to.deep.equal([TOLERATED])
  })

  it('is refused with an alias, an anchor, a tag, a key that is no text, or a further document', () => {
    const used = DOCUMENTS.filter(({ uses }) => uses)
    const names = new Set(used.flatMap(({ uses = [] }) => uses))
    expect([...names]).to.have.members(['alias', 'anchor', 'tag', 'complex key', 'documents'])
    expect(used.filter(({ yaml }) => !isMalformed(yaml)).map(({ id }) => id)).to.deep.equal([])
  })

  it('is read in every other form of YAML, unless two programs could read it differently', () => {
    const plain = DOCUMENTS.filter(({ isInvalid, uses }) => !isInvalid && !uses)
    expect(plain.length).to.be.at.least(200)
    expect(plain.filter(({ yaml }) => isMalformed(yaml)).map(({ id }) => id)).to.deep.equal(REFUSED)
  })
})
