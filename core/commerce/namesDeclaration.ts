import { z } from 'zod'
import { declarationParts } from './declarationParts.ts'

const { block } = declarationParts

/** The form only: the tables of ENSIP-15, which say what a label may contain, are too large for a browser. */
const ENS_NAME = /^[^\s.\p{Cc}]+(\.[^\s.\p{Cc}]+)+$/u
/** Source: DID Core 1.0 §3.1. */
const DID = /^did:[a-z0-9]+:((?:[A-Za-z0-9._-]|%[0-9A-Fa-f]{2})*:)*(?:[A-Za-z0-9._-]|%[0-9A-Fa-f]{2})+$/

/**
 * Other names of the agent, by which programs find it elsewhere. They are what the owner says, and prove nothing here; they
 * do not affect the boundary.
 *
 * The service also checks that the ENS name is in its normal form.
 *
 * Source: EIP-8004 "Agent Registration File" (the services `ENS` and `DID`).
 */
export const namesDeclaration = block({
  ens: z
    .string()
    .max(253)
    .regex(ENS_NAME, 'expected an ENS name without spaces, such as buyer.eth')
    .optional()
    .describe('ENS name of the agent, in the normal form of ENSIP-15.'),
  did: z
    .string()
    .max(512)
    .regex(DID, 'expected a DID without path, query or fragment, such as did:web:agent.example')
    .optional()
    .describe('Decentralized identifier (DID) of the agent.'),
})
