import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Layer } from "effect"
import { CliConfig, CliOutput, GlobalFlag } from "effect/cli"

/** A command line for scripts: `--help` is the only built-in flag, and a wrong flag prints nothing on stdout. */
export const commandLine = (program: string) =>
  Layer.mergeAll(
    NodeServices.layer,
    CliOutput.layerPresenter(CliOutput.Presenter.of({
      present: (event) =>
        event._tag === "InvalidInvocation"
          ? Console.error([...event.errors.map((error) => error.message), `See ${program} --help.`].join("\n"))
          : CliOutput.defaultPresenter.present(event)
    })),
    CliConfig.layer({ builtIns: [GlobalFlag.Help] })
  )
