import { Context, Metric } from "effect"
import type { Socket } from "node:net"

/** The pool `own` serves transactions, `shared` single statements, `sync` syncs, and `session` LISTEN and locks. */
export type PoolName = "own" | "session" | "shared" | "sync"

const gauge = (name: string, description: string) => (pool: PoolName) => {
  const of = Metric.gauge(name, { description, attributes: { pool } })
  let now = 0
  const add = (by: number) => of.updateUnsafe(now += by, Context.empty())
  add(0)
  return add
}

const connections = gauge("database_connections", "Connections to the database that are open or being opened, by pool")

const maximum = gauge("database_connections_max", "The most connections that the pool opens")

const waiting = gauge("database_transactions_waiting", "Transactions that wait for a connection of the pool")

const running = gauge("database_transactions_running", "Transactions under way on connections of the pool")

/** Returns the function with which the driver opens its sockets. Each socket is counted while it exists. */
export const countedSocket = (
  pool: PoolName,
  open: () => Socket,
  maxConnections: number
) => {
  const add = connections(pool)
  maximum(pool)(maxConnections)
  return () => {
    add(1)
    return open().once("close", () => add(-1))
  }
}

/** Counts a transaction as waiting until `begin` is called, then as running until `end` is called. */
export const countTransactions = (pool: PoolName) => {
  const [addWaiting, addRunning] = [waiting(pool), running(pool)]
  return () => {
    let leave = () => addWaiting(-1)
    addWaiting(1)
    return {
      begin: () => {
        leave()
        addRunning(1)
        leave = () => addRunning(-1)
      },
      end: () => leave()
    }
  }
}
