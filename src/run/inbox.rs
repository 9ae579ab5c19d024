//! What reaches the loop, in the order of its importance: control, keys, news.
//!
//! The loop's thread waits here itself instead of on the runtime: something that is due is then one wake-up, not a
//! timer's on another thread and a hand-over.

use super::Control;
use crate::logic::Event;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Instant;
use tokio::sync::mpsc;

pub struct Inbox {
    control: mpsc::UnboundedReceiver<Control>,
    keys: mpsc::Receiver<Event>,
    news: mpsc::Receiver<Event>,
    waker: Waker,
}

#[derive(Debug)]
pub enum Incoming {
    Control(Control),
    Key(Event),
    News(Event),
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

impl Inbox {
    /// For the thread that makes it, and no other.
    pub fn new(
        control: mpsc::UnboundedReceiver<Control>,
        keys: mpsc::Receiver<Event>,
        news: mpsc::Receiver<Event>,
    ) -> Self {
        let waker = Waker::from(Arc::new(Unpark(thread::current())));
        Self {
            control,
            keys,
            news,
            waker,
        }
    }

    /// Waits for the next of anything, `until` then at most; without a time for ever.
    pub fn next(&mut self, until: Option<Instant>) -> Option<Incoming> {
        self.wait(until, Self::poll)
    }

    /// As [`Inbox::next`], and leaves keys where they are.
    pub fn next_but_keys(&mut self, until: Option<Instant>) -> Option<Incoming> {
        self.wait(until, |inbox, context| {
            ready(inbox.control.poll_recv(context))
                .map(Incoming::Control)
                .or_else(|| ready(inbox.news.poll_recv(context)).map(Incoming::News))
        })
    }

    /// As [`Inbox::next`], and leaves keys and news where they are.
    pub fn next_control(&mut self, until: Option<Instant>) -> Option<Control> {
        self.wait(until, |inbox, context| {
            ready(inbox.control.poll_recv(context))
        })
    }

    pub fn waiting_key(&mut self) -> Option<Event> {
        self.keys.try_recv().ok()
    }

    pub fn waiting_news(&mut self) -> Option<Event> {
        self.news.try_recv().ok()
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Option<Incoming> {
        ready(self.control.poll_recv(context))
            .map(Incoming::Control)
            .or_else(|| ready(self.keys.poll_recv(context)).map(Incoming::Key))
            .or_else(|| ready(self.news.poll_recv(context)).map(Incoming::News))
    }

    fn wait<T>(
        &mut self,
        until: Option<Instant>,
        poll: impl Fn(&mut Self, &mut Context<'_>) -> Option<T>,
    ) -> Option<T> {
        let waker = self.waker.clone();
        let mut context = Context::from_waker(&waker);
        loop {
            if let Some(incoming) = poll(self, &mut context) {
                return Some(incoming);
            }
            // A wake-up between the look and the sleep ends the sleep at once.
            match until.map(|until| until.saturating_duration_since(Instant::now())) {
                None => thread::park(),
                Some(left) if left.is_zero() => return None,
                Some(left) => thread::park_timeout(left),
            }
        }
    }
}

/// A channel that nobody can send to any more is as quiet as one that nobody sends to.
fn ready<T>(polled: Poll<Option<T>>) -> Option<T> {
    match polled {
        Poll::Ready(received) => received,
        Poll::Pending => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EARLIER: Event = Event::Due;
    const LATER: Event = Event::Resumed;

    #[test]
    fn control_comes_before_keys_and_keys_before_news() {
        let (to_control, control) = mpsc::unbounded_channel();
        let (to_keys, keys) = mpsc::channel(4);
        let (to_news, news) = mpsc::channel(4);
        let mut inbox = Inbox::new(control, keys, news);
        to_news.try_send(EARLIER).unwrap();
        to_keys.try_send(LATER).unwrap();
        to_control.send(Control::Continued).unwrap();
        let past = Some(Instant::now());
        assert!(matches!(
            inbox.next(past),
            Some(Incoming::Control(Control::Continued))
        ));
        assert!(matches!(
            inbox.next(past),
            Some(Incoming::Key(Event::Resumed))
        ));
        assert!(matches!(inbox.next(past), Some(Incoming::News(Event::Due))));
        assert!(
            inbox.next(past).is_none(),
            "the time is over and nothing waits"
        );
    }

    #[test]
    fn what_comes_from_another_thread_ends_the_sleep() {
        let (_control, control) = mpsc::unbounded_channel();
        let (to_keys, keys) = mpsc::channel(1);
        let (_news, news) = mpsc::channel(1);
        let mut inbox = Inbox::new(control, keys, news);
        let sender = thread::spawn(move || {
            for _ in 0..1000 {
                to_keys.blocking_send(EARLIER).unwrap();
            }
        });
        for _ in 0..1000 {
            assert!(matches!(inbox.next(None), Some(Incoming::Key(_))));
        }
        sender.join().unwrap();
    }
}
