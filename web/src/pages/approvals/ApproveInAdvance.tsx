import { Button, Modal } from '@mantine/core'
import type { AnswerOf } from '@svc/core/contract/operations.ts'
import { useState } from 'react'
import { useInvalidate } from '../../api/useInvalidate.ts'
import classes from './ApprovalActions.module.css'
import { StandingForm } from './StandingForm.tsx'

type Props = {
  approval: AnswerOf<'GET /api/step-up-approvals/:approvalId'>['approval']
  onChange: () => void
}

/** Approves further requests at the counterparty together with this one; nothing where each needs its own approval. */
export function ApproveInAdvance({ approval, onChange }: Props) {
  const [isOpen, setOpen] = useState(false)
  const invalidate = useInvalidate()
  const { standingOffer: offer, agentId } = approval
  if (offer === null) return null
  const refresh = () => {
    onChange()
    void invalidate([['GET /api/agents/:id/approval-rules', { id: agentId }]])
  }
  return (
    <>
      <Button variant="light" size="md" className={classes.button} onClick={() => setOpen(true)}>
        Approve up to…
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title="Approve up to an amount"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <StandingForm approval={approval} offer={offer} onChange={refresh} />
      </Modal>
    </>
  )
}
