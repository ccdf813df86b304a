import { ActionIcon, Anchor, Table, VisuallyHidden } from '@mantine/core'
import type { ActivityItem } from '@svc/core/contract/activity.ts'
import type { ActivityColumn } from '@svc/core/contract/activityColumns.ts'
import { useId, useState } from 'react'
import { revealText } from '../../parts/code/revealText.ts'
import { Icon } from '../../parts/Icon.tsx'
import { summariseEvent } from '../../parts/words/eventWords.ts'
import { capitalise } from '../../parts/words/words.ts'
import { followLink } from '../../router/navigate.ts'
import classes from './ActivityTable.module.css'
import { COLUMNS, showCell } from './activityColumns.tsx'
import { PurchaseTimeline } from './PurchaseTimeline.tsx'

type Props = {
  event: ActivityItem
  columns: readonly ActivityColumn[]
  /** The newest events of the purchase, newest first. */
  live: readonly ActivityItem[]
}

/** A purchase as a row of the table, which unfolds into its timeline; an event by itself has nothing to unfold. */
export function PurchaseRow({ event, columns, live }: Props) {
  const [isOpen, setOpen] = useState(false)
  const timelineId = useId()
  const name = nameRow(event)
  const isPurchase = event.purchaseId !== event.id
  return (
    <>
      <Table.Tr role="row" data-purchase={event.purchaseId}>
        <Table.Td role="cell" className={classes.edge}>
          {isPurchase && (
            <ActionIcon
              variant="subtle"
              size={24}
              aria-expanded={isOpen}
              aria-controls={isOpen ? timelineId : undefined}
              aria-label={`Timeline of ${name}`}
              onClick={() => setOpen(!isOpen)}
            >
              <span style={{ display: 'flex', rotate: isOpen ? '90deg' : undefined }}>
                <Icon name="forward" size={14} />
              </span>
            </ActionIcon>
          )}
        </Table.Td>
        {columns.map((column) => (
          <Table.Td
            key={column}
            role="cell"
            data-label={COLUMNS[column].label}
            className={classes[COLUMNS[column].fit ?? '']}
          >
            {showCell(column, event)}
          </Table.Td>
        ))}
        <Table.Td role="cell" className={classes.edge}>
          <Anchor
            href={`/activity/${event.auditRecordId}`}
            onClick={followLink}
            size="sm"
            c="inherit"
            underline="always"
          >
            Open<VisuallyHidden> {name}</VisuallyHidden>
          </Anchor>
        </Table.Td>
      </Table.Tr>
      {isOpen && (
        <Table.Tr role="row" className={classes.unfolded}>
          <Table.Td role="cell" colSpan={columns.length + 2} id={timelineId}>
            <PurchaseTimeline purchaseId={event.purchaseId} live={live} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  )
}

/** Names a row in one sentence: who, where, what and what it came to. */
function nameRow(event: ActivityItem): string {
  const { outcome, purchaseOutcome = outcome } = event
  const { title, about } = summariseEvent(event)
  return revealText([title, about, capitalise(purchaseOutcome ?? '')].filter(Boolean).join(' · '))
}
