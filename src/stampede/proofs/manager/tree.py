"""The proof tree: positions near the root with their numbers, which leaves to search next, and what is decided.

The numbers are those of proof-number search, for the tree's winner: `proof` estimates the work left to show that the
winner wins, `disproof` to show that the other side does; 0 means shown, `NEVER` that it can't be. Transpositions share
a node, so the tree is a graph without cycles: no buffalo ever steps back.

Nothing here searches or reads a file. A tree follows from its spec and the results of its leaves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from stampede.buffalo import Side
from stampede.core.errors import InputError
from stampede.proofs.manager.leaf import LeafResult, LeafState, LeafStep
from stampede.proofs.manager.spec import TreeSpec

__all__ = ["FEWEST_DECIDED", "NEVER", "ProofTree", "TreeCounts", "TreeNode", "steps_left"]

NEVER: Final = 1 << 60
FEWEST_DECIDED: Final = 20
"""The mean cost of fewer decided leaves says nothing about the other leaves."""
_EVEN: Final = 8
"""Both numbers of a leaf that the engine calls even."""
_SPAN: Final = 1_000
_DOUBLING: Final = 100
"""Hundredths of the score that double one number and halve the other."""
_TIER_GROWTH: Final = 3
"""By how much both numbers of a leaf grow with every budget that leaves it open."""
_FREE_MOVES: Final = 2
"""The winner's best moves come first: each one after these counts as twice as hard to prove as the one before."""
_MOST_DOUBLINGS: Final = 12
_BUSY_GROWTH: Final = 4
"""Factor on the numbers of a chosen leaf until its result is there, so that the next choice is another leaf."""
_DEFERRED_GROWTH: Final = 1 << 20
"""Factor on the numbers of a deferred leaf, so that nearly all others come first; it's limited to two deferrals."""
_TRIES: Final = 6
"""How many choices a batch has for each of its leaves; it stays smaller if too many hit leaves that it already has."""


def steps_left(key: int) -> int:
    """How many steps the buffaloes of a position can still make: the layer of its node."""
    ranks = ((key >> 3 * file) & 7 for file in range(11))
    return sum(rank - 1 for rank in ranks if rank)


@dataclass(slots=True)
class TreeNode:
    """A position of the tree.

    Attributes:
        key: The position, as a canonical key.
        state: What is known about it. An expanded node stays `OPEN` until its numbers decide it.
        score: The engine's score for the tree's winner, in hundredths.
        tier: How many budgets have left it open.
        positions: How many positions its own searches visited.
        proof: The work left to prove it.
        disproof: The work left to refute it.
        steps: Its moves, the best for the tree's winner first; empty for a leaf.
        parents: The nodes that have a move to it.
        busy: How often the running batch has chosen it.
        settings: The index in `ProofTree.specs` of the settings of its last search.
        deferred: How often its workers died with the present settings.
    """

    key: int
    state: LeafState
    score: int
    tier: int = 0
    positions: int = 0
    proof: int = 1
    disproof: int = 1
    steps: tuple[LeafStep, ...] = ()
    parents: list[int] = field(default_factory=list)
    busy: int = 0
    settings: int = 0
    deferred: int = 0

    @property
    def is_decided(self) -> bool:
        """Whether nothing is left to do here."""
        return self.proof == 0 or self.disproof == 0


@dataclass(frozen=True, slots=True)
class TreeCounts:
    """The size of a tree.

    Attributes:
        nodes: All positions.
        expanded: Those with moves.
        leaves: Leaves by state.
        positions: Positions that all searches visited.
        seconds: Processor time of all searches.
        frontier: Open leaves that the cheapest proof still needs.
        batches: How many batches are complete.
    """

    nodes: int
    expanded: int
    leaves: dict[LeafState, int]
    positions: int
    seconds: float
    frontier: int
    batches: int


class ProofTree:
    """A proof tree in memory.

    Attributes:
        spec: What it is about, and the present settings.
        specs: The same with the settings of all times, the present ones last.
        nodes: The positions by their keys.
        positions: Positions that all searches visited.
        seconds: Processor time of all searches.
        batches: How many batches are complete.
    """

    def __init__(self, spec: TreeSpec) -> None:
        """Makes a tree that has only its root."""
        self.spec = spec
        self.specs = [spec]
        self.nodes: dict[int, TreeNode] = {}
        self.positions = 0
        self.seconds = 0.0
        self.batches = 0
        self._leaves: Counter[LeafState] = Counter()
        self._add(spec.root, LeafState.OPEN, 0)

    @property
    def root(self) -> TreeNode:
        """The node of the root."""
        return self.nodes[self.spec.root]

    @property
    def state(self) -> LeafState:
        """What is known about the root."""
        root = self.root
        if root.proof == 0:
            return LeafState.PROVEN if self.is_rigorous else LeafState.LIKELY
        if root.disproof == 0:
            return LeafState.REFUTED if self.is_rigorous else LeafState.UNLIKELY
        return LeafState.OPEN

    @property
    def is_rigorous(self) -> bool:
        """Whether the root is decided, and no leaf that its decision needs is only likely."""
        soft = {LeafState.LIKELY, LeafState.UNLIKELY}
        if not self.root.is_decided:
            return False
        return all(self.nodes[key].state not in soft for key in self.decision())

    def winner_moves(self, node: TreeNode) -> bool:
        """Whether the tree's winner is to move in a position."""
        return (node.key < 0) == (self.spec.winner is Side.HUNTER)

    # --- growing ---

    def choose_batch(self) -> list[TreeNode]:
        """The leaves to search next: the most-proving ones, as different as possible."""
        chosen: dict[int, TreeNode] = {}
        for _ in range(_TRIES * self.spec.batch):
            if self.root.is_decided or len(chosen) >= self.spec.batch:
                break
            leaf = self._most_proving()
            leaf.busy += 1
            chosen[leaf.key] = leaf
            self._update(leaf)
        for leaf in chosen.values():
            leaf.busy = 0
        for leaf in chosen.values():
            self._update(leaf)
        return sorted(chosen.values(), key=lambda leaf: leaf.key)

    def _most_proving(self) -> TreeNode:
        """The leaf whose result matters most: least proof where the winner moves, least disproof elsewhere."""
        node = self.root
        while node.steps:
            best, least = None, NEVER + 1
            for rank, step in enumerate(node.steps):
                child = self.nodes[step.key]
                if self.winner_moves(node):
                    number = _ranked(child.proof, rank)
                else:
                    number = child.disproof if child.proof > 0 else NEVER
                if number < least:
                    best, least = child, number
            assert best is not None, "an expanded node has moves"
            node = best
        return node

    def apply_batch(self, results: Iterable[LeafResult]) -> None:
        """Takes the results of a batch in; their order doesn't matter."""
        for result in sorted(results, key=lambda result: result.key):
            self._apply(result)
        self.batches += 1

    def change_settings(self, spec: TreeSpec) -> None:
        """Goes on with other settings, those of `TreeSpec.changed`; deferred leaves get another chance."""
        self.spec = spec
        self.specs.append(spec)
        for node in list(self.nodes.values()):
            if node.deferred:
                node.deferred = 0
                self._update(node)

    def _apply(self, result: LeafResult) -> None:
        node = self.nodes.get(result.key)
        if node is None or node.steps or node.tier != result.tier:
            raise InputError(
                f"expected a leaf of this tree and its budget {node.tier if node else 0},"
                f" got key {result.key:#x} and budget {result.tier}"
            )
        if result.is_deferred:
            node.deferred += 1
            self._update(node)
            return
        self._leaves[node.state] -= 1
        node.settings, node.deferred = len(self.specs) - 1, 0
        node.state = result.state
        node.positions += result.positions
        node.score = node.score if result.score is None else result.score
        node.tier = result.tier + 1
        self.positions += result.positions
        self.seconds += result.seconds
        if result.steps:
            self._expand(node, result.steps)
        else:
            self._leaves[node.state] += 1
        self._update(node)

    def _expand(self, node: TreeNode, steps: Sequence[LeafStep]) -> None:
        mover = self.winner_moves(node)
        value = {LeafState.PROVEN: NEVER, LeafState.REFUTED: -NEVER}
        ordered = sorted(
            steps,
            key=lambda step: (value.get(step.state, step.score), step.key),
            reverse=mover,
        )
        node.steps = tuple(ordered)
        for step in ordered:
            child = self.nodes.get(step.key) or self._add(step.key, step.state, step.score)
            child.parents.append(node.key)

    def _add(self, key: int, state: LeafState, score: int) -> TreeNode:
        node = TreeNode(key, state, score)
        node.proof, node.disproof = self._numbers(node)
        self.nodes[key] = node
        self._leaves[state] += 1
        return node

    # --- numbers ---

    def _update(self, node: TreeNode) -> None:
        """Computes the numbers of a node anew, then those of all nodes above it that change."""
        waiting = [node]
        while waiting:
            each = waiting.pop()
            numbers = self._numbers(each)
            if numbers != (each.proof, each.disproof):
                each.proof, each.disproof = numbers
                waiting += [self.nodes[key] for key in each.parents]

    def _numbers(self, node: TreeNode) -> tuple[int, int]:
        if node.steps:
            return self._combined(node)
        match node.state:
            case LeafState.PROVEN | LeafState.LIKELY:
                return 0, NEVER
            case LeafState.REFUTED | LeafState.UNLIKELY:
                return NEVER, 0
            case LeafState.OPEN:
                power = min(max(node.score, -_SPAN), _SPAN) / _DOUBLING
                growth = _TIER_GROWTH**node.tier * _BUSY_GROWTH**node.busy
                growth *= _DEFERRED_GROWTH ** min(node.deferred, 2)
                hard, easy = _EVEN * 2.0**-power, _EVEN * 2.0**power
                most = NEVER - 1
                return min(int(hard * growth) + 1, most), min(int(easy * growth) + 1, most)

    def _combined(self, node: TreeNode) -> tuple[int, int]:
        """An inner node's numbers: the least for the mover; for the other side the most, plus the open moves."""
        mover = self.winner_moves(node)
        least, most, left = NEVER, 0, 0
        for rank, step in enumerate(node.steps):
            child = self.nodes[step.key]
            mine = _ranked(child.proof, rank) if mover else child.disproof
            theirs = child.disproof if mover else child.proof
            least = min(least, mine)
            most = max(most, theirs)
            left += theirs > 0
        refute = most if most >= NEVER or left < 2 else min(most + left - 1, NEVER - 1)
        return (least, refute) if mover else (refute, least)

    # --- what a tree says ---

    def decision(self) -> Iterator[int]:
        """The keys of the nodes that decide the root: one move where its side moves, all moves elsewhere."""
        wins = self.root.proof == 0
        seen, waiting = {self.spec.root}, [self.spec.root]
        while waiting:
            node = self.nodes[waiting.pop()]
            yield node.key
            if self.winner_moves(node) == wins:
                following = [step.key for step in node.steps if self._holds(step.key, wins=wins)]
                following = following[:1]
            else:
                following = [step.key for step in node.steps]
            waiting += [key for key in following if key not in seen]
            seen.update(following)

    def searched_leaves(self) -> Iterator[TreeNode]:
        """The leaves that decide the root and that a search has decided; others are decided at sight."""
        for key in self.decision():
            node = self.nodes[key]
            if node.tier and not node.steps:
                yield node

    def _holds(self, key: int, *, wins: bool) -> bool:
        node = self.nodes[key]
        return node.proof == 0 if wins else node.disproof == 0

    def frontier(self) -> list[TreeNode]:
        """The open leaves that the cheapest proof still needs: the winner's best move, all of the other side's."""
        found, seen, waiting = [], {self.spec.root}, [self.spec.root]
        while waiting:
            node = self.nodes[waiting.pop()]
            if node.is_decided:
                continue
            if not node.steps:
                found.append(node)
                continue
            keys = [step.key for step in node.steps]
            if self.winner_moves(node):
                ranked = [_ranked(self.nodes[key].proof, rank) for rank, key in enumerate(keys)]
                keys = [keys[ranked.index(min(ranked))]]
            waiting += [key for key in keys if key not in seen]
            seen.update(keys)
        return found

    def counts(self) -> TreeCounts:
        """The tree's size."""
        return TreeCounts(
            nodes=len(self.nodes),
            expanded=len(self.nodes) - self._leaves.total(),
            leaves={state: self._leaves[state] for state in LeafState},
            positions=self.positions,
            seconds=self.seconds,
            frontier=len(self.frontier()),
            batches=self.batches,
        )

    def decided_leaves(self) -> int:
        """How many leaves a search has decided."""
        return sum(
            1 for node in self.nodes.values() if node.tier and node.state is not LeafState.OPEN
        )

    def seconds_left(self) -> int | None:
        """Processor time for the open leaves that the cheapest proof needs, at the mean cost of a decided one.

        None while searches have decided fewer than `FEWEST_DECIDED` leaves. Open leaves lead to further ones, so this
        is a lower bound.
        """
        decided = self.decided_leaves()
        if decided < FEWEST_DECIDED:
            return None
        return round(len(self.frontier()) * self.seconds / decided)

    def layers(self) -> dict[int, Counter[LeafState]]:
        """Leaves by the number of steps left, the most first."""
        found: dict[int, Counter[LeafState]] = {}
        for node in self.nodes.values():
            if not node.steps:
                found.setdefault(steps_left(node.key), Counter())[node.state] += 1
        return dict(sorted(found.items(), reverse=True))


def _ranked(proof: int, rank: int) -> int:
    """The proof number of the winner's move of this rank: later moves wait until earlier ones turn out to be hard."""
    if proof in (0, NEVER):
        return proof
    return min(proof << min(max(rank - _FREE_MOVES, 0), _MOST_DOUBLINGS), NEVER - 1)
