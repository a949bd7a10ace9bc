//! `?` in two steps, so that what it returns is seen: the traits of the standard library for it are not stable.
use std::ops::ControlFlow;
use std::task::Poll;

pub enum Never {}

pub enum Flow<V, R> {
    Go(V),
    Stop(R),
}

/// A value that `?` can stand behind.
pub trait Branch {
    type Output;
    type Residual;
    fn branch(self) -> Flow<Self::Output, Self::Residual>;
}

pub trait FromResidual<R> {
    fn from_residual(residual: R) -> Self;
}

#[inline]
pub fn branch<T: Branch>(value: T) -> Flow<T::Output, T::Residual> {
    value.branch()
}

#[inline]
#[track_caller]
pub fn convert<R, T: FromResidual<R>>(residual: R) -> T {
    T::from_residual(residual)
}

impl<T, E> Branch for Result<T, E> {
    type Output = T;
    type Residual = Result<Never, E>;
    #[inline]
    fn branch(self) -> Flow<T, Result<Never, E>> {
        match self {
            Ok(value) => Flow::Go(value),
            Err(error) => Flow::Stop(Err(error)),
        }
    }
}

impl<T> Branch for Option<T> {
    type Output = T;
    type Residual = Option<Never>;
    #[inline]
    fn branch(self) -> Flow<T, Option<Never>> {
        match self {
            Some(value) => Flow::Go(value),
            None => Flow::Stop(None),
        }
    }
}

impl<B, C> Branch for ControlFlow<B, C> {
    type Output = C;
    type Residual = ControlFlow<B, Never>;
    #[inline]
    fn branch(self) -> Flow<C, ControlFlow<B, Never>> {
        match self {
            ControlFlow::Continue(value) => Flow::Go(value),
            ControlFlow::Break(value) => Flow::Stop(ControlFlow::Break(value)),
        }
    }
}

impl<T, E> Branch for Poll<Result<T, E>> {
    type Output = Poll<T>;
    type Residual = Result<Never, E>;
    #[inline]
    fn branch(self) -> Flow<Poll<T>, Result<Never, E>> {
        match self {
            Poll::Ready(Ok(value)) => Flow::Go(Poll::Ready(value)),
            Poll::Ready(Err(error)) => Flow::Stop(Err(error)),
            Poll::Pending => Flow::Go(Poll::Pending),
        }
    }
}

impl<T, E> Branch for Poll<Option<Result<T, E>>> {
    type Output = Poll<Option<T>>;
    type Residual = Result<Never, E>;
    #[inline]
    fn branch(self) -> Flow<Poll<Option<T>>, Result<Never, E>> {
        match self {
            Poll::Ready(Some(Ok(value))) => Flow::Go(Poll::Ready(Some(value))),
            Poll::Ready(Some(Err(error))) => Flow::Stop(Err(error)),
            Poll::Ready(None) => Flow::Go(Poll::Ready(None)),
            Poll::Pending => Flow::Go(Poll::Pending),
        }
    }
}

impl<T, E, F: From<E>> FromResidual<Result<Never, E>> for Result<T, F> {
    #[inline]
    #[track_caller]
    fn from_residual(residual: Result<Never, E>) -> Result<T, F> {
        match residual {
            Ok(never) => match never {},
            Err(error) => Err(From::from(error)),
        }
    }
}

impl<T> FromResidual<Option<Never>> for Option<T> {
    #[inline]
    fn from_residual(_: Option<Never>) -> Option<T> {
        None
    }
}

impl<B, C> FromResidual<ControlFlow<B, Never>> for ControlFlow<B, C> {
    #[inline]
    fn from_residual(residual: ControlFlow<B, Never>) -> ControlFlow<B, C> {
        match residual {
            ControlFlow::Continue(never) => match never {},
            ControlFlow::Break(value) => ControlFlow::Break(value),
        }
    }
}

impl<T, E, F: From<E>> FromResidual<Result<Never, E>> for Poll<Result<T, F>> {
    #[inline]
    #[track_caller]
    fn from_residual(residual: Result<Never, E>) -> Poll<Result<T, F>> {
        Poll::Ready(FromResidual::from_residual(residual))
    }
}

impl<T, E, F: From<E>> FromResidual<Result<Never, E>> for Poll<Option<Result<T, F>>> {
    #[inline]
    #[track_caller]
    fn from_residual(residual: Result<Never, E>) -> Poll<Option<Result<T, F>>> {
        Poll::Ready(Some(FromResidual::from_residual(residual)))
    }
}
