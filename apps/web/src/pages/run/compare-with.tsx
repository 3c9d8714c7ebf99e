import type { RunDetail } from "@trainwatch/core";
import { Button, EmptyState, Popover, SkeletonRows, Stack, Text, TextField } from "@trainwatch/ui";
import { useState } from "react";
import { useRuns } from "../../data/runs.ts";
import { LoadedView } from "../../loaded-view/loaded-view.tsx";
import { without } from "./search.ts";
import { useRunSearch } from "./use-run-search.ts";

const OFFERED = 8;

/** Lays a second run over this one. */
export function CompareWith({ run }: { readonly run: RunDetail }) {
  const [open, setOpen] = useState(false);
  const { search, go } = useRunSearch();
  return (
    <Popover label={search.compare === undefined ? "Compare with…" : "Compared…"} look="quiet" open={open} onOpenChange={setOpen}>
      <Stack>
        {search.compare === undefined ? null : (
          <Button
            size="small"
            onClick={() => {
              go((before) => without(before, "compare"));
              setOpen(false);
            }}
          >
            Show this run alone
          </Button>
        )}
        <Candidates
          run={run}
          onChoose={(compare) => {
            go((before) => ({ ...before, compare }));
            setOpen(false);
          }}
        />
      </Stack>
    </Popover>
  );
}

function Candidates({ run, onChoose }: { readonly run: RunDetail; readonly onChoose: (runId: number) => void }) {
  const [text, setText] = useState("");
  const runs = useRuns({ search: text, states: [], archived: false, cursor: null });
  return (
    <>
      <TextField
        label="Run to lay over"
        placeholder="Part of project/name"
        value={text}
        onChange={(event) => setText(event.target.value)}
        autoComplete="off"
      />
      <LoadedView loaded={runs} what="The run list" skeleton={<SkeletonRows label="runs" rows={4} />}>
        {(page) => {
          const others = page.items.filter((item) => item.id !== run.id).slice(0, OFFERED);
          if (others.length === 0)
            return (
              <EmptyState title="No other run">
                {text === "" ? "There is nothing to compare with yet." : "No name contains that."}
              </EmptyState>
            );
          return (
            <Stack gap={0}>
              {others.map((item) => (
                <Button key={item.id} kind="quiet" size="small" onClick={() => onChoose(item.id)}>
                  {item.name}{" "}
                  <Text tone="label" size="label">
                    {item.project}
                  </Text>
                </Button>
              ))}
            </Stack>
          );
        }}
      </LoadedView>
    </>
  );
}
