import type { ProofDocument } from '@svc/core/audit/proofDocument.ts'
import { createPortal } from 'react-dom'
import { QrCode } from '../../parts/code/QrCode.tsx'
import { describeEntry } from '../../parts/words/describeEntry.ts'
import classes from './Certificate.module.css'
import type { ProofWords } from './describeProof.ts'

type Props = { recordId: string; proof: ProofDocument; record: string; words: ProofWords }

/**
 * The certificate of a proof: the only thing on the paper when the page is printed, and not on the screen. Outside of the
 * page, so that frame and menu need no rules for printing.
 */
export function Certificate({ recordId, proof, record, words }: Props) {
  const address = `${window.location.origin}/verify/${recordId}`
  return createPortal(
    <article className={classes.certificate}>
      <header className={classes.head}>
        <div>
          <p className={classes.service}>Agent registry, {window.location.host}</p>
          <h1 className={classes.title}>Certificate of a record</h1>
          <p className={classes.record}>{record}</p>
        </div>
        <QrCode text={address} label="QR code with the address of this proof" width={112} />
      </header>
      <h2>{words.title}</h2>
      <p>{words.about}</p>
      <h2>What is proven</h2>
      <List sentences={words.proven} />
      <h2>What is not proven</h2>
      <List sentences={words.unproven} />
      <h2>Coordinates</h2>
      <table className={classes.facts}>
        <tbody>
          {listFacts(recordId, proof).map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={classes.foot}>
        This paper proves nothing by itself. Repeat the check at {address}, or with the downloaded proof and
        any node of the chain.
      </p>
    </article>,
    document.body,
  )
}

function List({ sentences }: { sentences: readonly string[] }) {
  return (
    <ul>
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  )
}

function listFacts(recordId: string, proof: ProofDocument) {
  return [
    ['Record', recordId],
    ['Entry', describeEntry(proof)],
    ['Leaf hash', proof.leafHash],
    ['Root', proof.root],
    ['Batch', `${proof.batch}, in block ${proof.blockNumber} of chain ${proof.chainId}`],
    ['Transaction', proof.transactionHash],
    ['Contract', proof.contract],
    ['Log', proof.logId],
  ] as const
}
