export {
  createReusingGateway,
  type ReusingGateway,
  type ReusingGatewayOptions,
} from './reuse/createReusingGateway.ts'
