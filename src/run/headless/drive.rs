//! Carries an operation to its end: the dashboard's own state machine, with nothing around it.

use super::super::clock::Clock;
use super::super::effects::once;
use crate::api::Client;
use crate::logic::{Answer, Calls, Deed, Effect, Operations, Settled, Target, World};
use crate::model::Span;
use tokio::task::JoinSet;

pub struct Drive<'a> {
    pub client: &'a Client,
    pub clock: Clock,
    pub world: &'a mut World,
}

/// How it came out.
pub enum Driven {
    Through,
    Interrupted,
}

struct UnderWay<'a> {
    drive: Drive<'a>,
    calls: Calls,
    operations: Operations,
    tasks: JoinSet<Answer>,
}

impl Drive<'_> {
    /// Tells each target once it is over; after a Ctrl-C also the others, as they are then.
    pub async fn through(
        self,
        deed: Deed,
        targets: Vec<Target>,
        mut tell: impl FnMut(&Target),
    ) -> Driven {
        let mut told = vec![false; targets.len()];
        let mut under_way = UnderWay {
            drive: self,
            calls: Calls::default(),
            operations: Operations::default(),
            tasks: JoinSet::new(),
        };
        let now = under_way.drive.clock.now();
        let id = under_way.operations.confirmed(deed, targets, Span(0), now);
        let interrupt = tokio::signal::ctrl_c();
        tokio::pin!(interrupt);
        loop {
            under_way.send();
            let Some(operation) = under_way.operations.get(id) else {
                return Driven::Through;
            };
            for (target, told) in operation.targets.iter().zip(&mut told) {
                if target.state.is_over() && !std::mem::replace(told, true) {
                    tell(target);
                }
            }
            if operation.is_over() {
                return Driven::Through;
            }
            tokio::select! {
                () = under_way.step() => {}
                _ = &mut interrupt => break,
            }
        }
        let left = under_way
            .operations
            .get(id)
            .map(|operation| &operation.targets);
        let left = left.into_iter().flatten().zip(told);
        left.filter(|(_, told)| !told)
            .for_each(|(target, _)| tell(target));
        Driven::Interrupted
    }
}

impl UnderWay<'_> {
    fn send(&mut self) {
        let (world, now) = (&mut *self.drive.world, self.drive.clock.now());
        let mut effects = self.calls.due(world, now);
        let step = self.operations.tick(&mut self.calls, world, now);
        effects.extend(step.effects);
        self.carry_out(effects);
    }

    fn carry_out(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            if let Effect::Call { tag, call } = effect {
                let client = self.drive.client.clone();
                self.tasks
                    .spawn(async move { once(&client, tag, call).await });
            }
        }
    }

    /// Waits for an answer, or until something is to be sent again.
    async fn step(&mut self) {
        let again = self.calls.next_due().map(|at| self.drive.clock.instant(at));
        let due = async {
            match again {
                Some(at) => tokio::time::sleep_until(at.into()).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            Some(Ok(answer)) = self.tasks.join_next() => self.answered(&answer),
            () = due => {}
        }
    }

    fn answered(&mut self, answer: &Answer) {
        let (world, now) = (&mut *self.drive.world, self.drive.clock.now());
        let result = answer.result.as_ref();
        let (calls, operations) = (&mut self.calls, &mut self.operations);
        // A row that is read again after its deed is for a screen.
        if let Settled::For(purpose) = calls.answered(answer, world, now)
            && let Some(step) = operations.answered(&purpose, result, calls, world, now)
        {
            self.carry_out(step.effects);
        }
    }
}
