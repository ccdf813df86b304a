import { expect } from 'chai'
import { Deployment } from 'kubernetes-models/apps/v1'
import { CronJob, Job } from 'kubernetes-models/batch/v1'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { PersistentVolumeClaim, Service } from 'kubernetes-models/v1'
import { z } from 'zod'

const MODELS = {
  CronJob,
  Deployment,
  Job,
  NetworkPolicy,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  Service,
}

const manifest = z.looseObject({ apiVersion: z.string(), kind: z.string() })

/** A manifest as an instance of the model of its kind, whose schema is that of Kubernetes. */
export function modelOfManifest(text: unknown) {
  const { kind, apiVersion, ...rest } = manifest.parse(text)
  const Model = MODELS[kind as keyof typeof MODELS]
  expect(Model, kind).to.be.a('function')
  const model = new Model(rest)
  expect(model.apiVersion).to.equal(apiVersion)
  return model
}
