import type { PostTrainingView, RunDetail } from "@trainwatch/core";
import { Notice, Text } from "@trainwatch/ui";

/** Without held-out results a rising reward proves nothing: said before anything else. */
export function HeldOutNotice({ run, view }: { readonly run: RunDetail; readonly view: PostTrainingView }) {
  if (view.heldOut !== null) return null;
  const lane = view.lanes.find(({ signal }) => signal === "held-out");
  return (
    <Notice mark="unknown">
      <Text weight="bold" tone="value">
        {lane?.missing ?? "No held-out evaluation: over-optimisation cannot be seen."}
      </Text>{" "}
      {`Log eval/<task>/<metric> of prompts that the policy is not trained on, or import results of its checkpoints under the run ${run.project}/${run.name}. A fit needs ten of them.`}
    </Notice>
  );
}
